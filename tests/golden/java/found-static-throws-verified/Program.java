class Program {
  static class Limits {
    static int most;

    static {
      try {
        most = positive(-1);
      } catch (IllegalArgumentException e) {
        most = 1;
      }
    }

    static int positive(int n) {
      if (n < 0) throw new IllegalArgumentException();
      return n;
    }
  }

  public static void main(String[] args) {
    assert Limits.most == 1;
  }
}
