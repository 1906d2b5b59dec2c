// The lock of the field is the instance around.
class Program {
  @interface GuardedBy {
    String value();
  }

  final Object lock = new Object();

  class Inner {
    @GuardedBy("Program.this") int x;
    @GuardedBy("lock") int y;
  }

  public static void main(String[] arguments) {
    Program around = new Program();
    Inner inner = around.new Inner();
    new Thread(() -> {
      synchronized (around) {
        inner.x = 2;
      }
      synchronized (around.lock) {
        inner.y = 2;
      }
    }).start();
    synchronized (around) {
      inner.x = 1;
    }
    synchronized (inner) {
      inner.y = 1;
    }
  }
}
