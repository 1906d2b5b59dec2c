class Program {
  //@ ensures \result == n + 1;
  static long next(long n) {
    return n + 1;
  }

  public static void main(String[] args) {
    next(Long.MAX_VALUE);
  }
}
