class Program {
  static int n;
  public static void main(String[] args) throws InterruptedException {
    Integer a = 1;
    Integer b = 1;
    Thread t = new Thread(() -> {
      synchronized (a) {
        n++;
      }
    });
    t.start();
    synchronized (b) {
      n++;
    }
    t.join();
    assert n == 2;
  }
}
