import java.util.concurrent.atomic.AtomicInteger;

// Final fields that every constructor gives a new object are never null, and arrays there have the length they were made with.
class Program {
  static final Object LOCK = new Object();
  static final Program ONE = new Program();

  //@ elems_unwritable_by_env_if[i] Program.LOCK.holder == tid;
  private final int[] table = new int[7];
  private final AtomicInteger number = new AtomicInteger();

  int get(int i) {
    if (i < 0 || i >= 7) return 0;
    synchronized (LOCK) {
      return number.get() + table[i] + table[6];
    }
  }

  static class Reader extends Thread {
    @Override
    public void run() {
      int one = ONE.get(3);
      int other = new Program().get(6);
    }
  }

  public static void main(String[] args) {
    new Reader().start();
    new Reader().start();
  }
}
