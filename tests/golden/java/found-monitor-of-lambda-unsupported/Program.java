class Program {
  static Runnable f() {
    return () -> {};
  }

  public static void main(String[] arguments) {
    Object lock = f();
    synchronized (lock) {
      assert true;
    }
  }
}
