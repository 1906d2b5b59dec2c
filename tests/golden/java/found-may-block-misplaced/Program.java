import java.util.concurrent.Semaphore;

// Nothing waits here, or not in the statement itself.
class Program {
  static volatile int x;
  boolean done;

  synchronized void await() throws InterruptedException {
    //@ may_block
    while (!done) wait();
  }

  public static void main(String[] arguments) throws InterruptedException {
    //@ may_block
    x = 1;
    //@ may_block
    new Semaphore(0).acquire();
  }
}
