class Program {
  public static void main(String[] args) {
    Number number = 5;
    assert number != null;
  }
}
