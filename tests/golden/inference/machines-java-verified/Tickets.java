import java.util.concurrent.atomic.AtomicInteger;

/** Any number of buyers take tickets as long as there are some. */
class Tickets {
  static final AtomicInteger left = new AtomicInteger(5);

  static class Buyer extends Thread {
    @Override
    public void run() {
      while (true) {
        int seen = left.get();
        if (seen == 0) {
          return;
        }
        if (left.compareAndSet(seen, seen - 1)) {
          assert left.get() >= 0;
        }
      }
    }
  }

  public static void main(String[] args) {
    while (true) {
      new Buyer().start();
    }
  }
}
