class Program {
  static final Object lock = new Object();

  public static void main(String[] args) throws InterruptedException {
    Thread worker = new Thread(() -> {
      synchronized (lock) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          assert true;
        }
      }
    });
    worker.start();
    worker.interrupt();
    worker.join();
  }
}
