class Program {
  static int zero;
  public static void main(String[] args) {
    int x = 4;
    assert x / 2 == 2;
    int y = x / zero;
  }
}
