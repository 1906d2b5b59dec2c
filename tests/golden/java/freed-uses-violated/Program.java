import concord.Concord;

/** All that may be done with an object, each by a thread of its own. */
class Program {
  static class Base {
    int number;
  }
  static class Part extends Base {
    final Part next;
    volatile int count;

    Part(Part next) {
      this.next = next;
    }

    Part following() {
      return next;
    }

    synchronized void nothing() {}
  }
  static final Part part = new Part(null);
  static final Object any = part;
  static final Base base = part;

  public static void main(String[] args) {
    Concord.free(part);
    new Thread(() -> part.nothing()).start();
    new Thread(() -> part.following()).start();
    new Thread(() -> { part.count++; }).start();
    new Thread(() -> { base.number = 1; }).start();
    new Thread(() -> { synchronized (any) { part.count = 1; } }).start();
  }
}
