class Program {
  static int result; // neither volatile nor guarded: isAlive() orders as join() does

  public static void main(String[] args) {
    Thread worker = new Thread(() -> { result = 5; });
    assert !worker.isAlive();
    worker.start();
    while (!worker.isAlive()) {
      Thread.onSpinWait();
    }
    assert result == 5;
  }
}
