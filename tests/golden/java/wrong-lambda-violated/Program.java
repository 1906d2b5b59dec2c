class Program {
  static int n;
  public static void main(String[] args) {
    int k = 3;
    Runnable r = () -> n += k;
    r.run();
    assert n == 0;
  }
}
