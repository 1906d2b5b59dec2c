class Program {
  static boolean done;

  public static void main(String[] args) throws InterruptedException {
    Thread worker = new Thread(() -> { done = true; });
    synchronized (worker) {
      worker.start();
      while (worker.isAlive()) {
        worker.wait(); // a thread notifies its monitor when it ends
      }
    }
    assert done;
  }
}
