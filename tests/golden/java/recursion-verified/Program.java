class Program {
  static int fact(int n) {
    return n <= 1 ? 1 : n * fact(n - 1);
  }
  static int fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
  }
  static boolean even(int n) {
    return n == 0 || odd(n - 1);
  }
  static boolean odd(int n) {
    return n != 0 && even(n - 1);
  }
  static int depth(int n) throws Exception {
    if (n == 0) throw new Exception();
    try {
      return depth(n - 1);
    } finally {
      count++;
    }
  }
  static int count;
  public static void main(String[] args) {
    assert fact(10) == 3628800 && fact(13) == 1932053504;
    assert fib(7) == 13;
    assert even(6) && odd(5) && !even(3);
    try {
      depth(4);
    } catch (Exception e) {
      count += 10;
    }
    assert count == 14;
  }
}
