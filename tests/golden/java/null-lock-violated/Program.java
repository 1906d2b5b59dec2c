class Program {
  static Object lock;
  public static void main(String[] args) {
    synchronized (lock) {
      lock = null;
    }
  }
}
