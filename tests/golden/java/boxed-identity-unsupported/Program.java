class Program {
  public static void main(String[] args) {
    Object a = 1;
    Object b = 1;
    assert a != b;
  }
}
