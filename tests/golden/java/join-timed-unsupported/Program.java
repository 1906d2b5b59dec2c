class Program {
  static int result;

  public static void main(String[] args) throws InterruptedException {
    Thread worker = new Thread(() -> { result = 1; });
    worker.start();
    worker.join(1000); // it may not have ended
    assert result == 1;
  }
}
