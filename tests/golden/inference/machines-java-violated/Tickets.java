import java.util.concurrent.atomic.AtomicInteger;

/** Any number of buyers take a ticket that may be gone meanwhile. */
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
        if (left.decrementAndGet() < seen) {
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
