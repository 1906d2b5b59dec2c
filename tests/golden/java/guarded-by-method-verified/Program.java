// Whoever calls a method with @GuardedBy holds the lock.
class Program {
  @interface GuardedBy {
    String value();
  }

  private final Object lock = new Object();
  @GuardedBy("lock") private int count;
  private static int total;

  @GuardedBy("lock")
  private void count() {
    count++;
  }

  @GuardedBy("Program.class")
  private static void total() {
    total++;
  }

  @GuardedBy("this")
  private void add(int more) {
    synchronized (lock) {
      count();
    }
  }

  void use() {
    synchronized (this) {
      add(1);
    }
    synchronized (Program.class) {
      total();
    }
  }

  public static void main(String[] arguments) {
    Program program = new Program();
    new Thread(program::use).start();
    program.use();
  }
}
