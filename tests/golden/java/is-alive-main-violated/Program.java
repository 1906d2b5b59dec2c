class Program {
  public static void main(String[] args) {
    Thread first = Thread.currentThread();
    Thread worker = new Thread(() -> { assert first.isAlive(); });
    assert first.isAlive();
    worker.start();
  }
}
