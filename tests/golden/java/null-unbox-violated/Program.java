class Program {
  public static void main(String[] args) {
    Integer i = 4;
    int x = i;
    assert x == 4;
    i = null;
    x = i;
  }
}
