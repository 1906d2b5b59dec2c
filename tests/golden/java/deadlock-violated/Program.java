// Each waits for what the other holds; the report names both in Java's words.
class Program {
  static final Object left = new Object();
  static final Object right = new Object();

  static class Other extends Thread {
    @Override
    public void run() {
      synchronized (right) {
        synchronized (left) {
        }
      }
    }
  }

  public static void main(String[] arguments) {
    new Other().start();
    synchronized (left) {
      synchronized (right) {
      }
    }
  }
}
