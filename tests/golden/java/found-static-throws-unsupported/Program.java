class Program {
  static class Limits {
    static final int MOST = positive(-1);

    static int positive(int n) {
      if (n < 0) throw new IllegalArgumentException();
      return n;
    }
  }

  public static void main(String[] args) {
    boolean failed = false;
    try {
      int most = Limits.MOST;
    } catch (ExceptionInInitializerError e) {
      failed = true;
    }
    assert !failed;
  }
}
