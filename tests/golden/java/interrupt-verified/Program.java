class Program {
  static volatile int rounds;

  public static void main(String[] args) throws InterruptedException {
    Thread worker = new Thread(() -> {
      boolean slept = true;
      while (!Thread.currentThread().isInterrupted()) {
        rounds = 1;
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        slept = false;
      }
      assert !slept;
      assert !Thread.interrupted(); // sleep cleared it
    });
    worker.start();
    worker.interrupt();
    worker.join();
    assert !worker.isAlive();
  }
}
