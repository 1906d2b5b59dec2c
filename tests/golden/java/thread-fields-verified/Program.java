class Program {
  // Names that the verifier's Thread has too.
  static class Worker extends Thread {
    String name = "own";
    boolean ended, interrupted, waiting;
    Runnable target;
    int identity = 4;

    @Override
    public void run() {
      ended = true;
      assert name == "own" && getName() == "given" && identity == 4 && target == null;
    }

    Worker() { super("given"); }
  }

  public static void main(String[] args) throws InterruptedException {
    Worker worker = new Worker();
    worker.start();
    worker.interrupt();
    worker.join();
    assert worker.ended && !worker.isAlive() && !worker.interrupted && !worker.waiting && worker.isInterrupted();
  }
}
