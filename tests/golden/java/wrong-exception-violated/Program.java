class Program {
  static int n;
  public static void main(String[] args) {
    try {
      try {
        throw new IllegalStateException();
      } finally {
        n = 1;
      }
    } catch (RuntimeException e) {
      n += 2;
    }
    assert n == 1;
  }
}
