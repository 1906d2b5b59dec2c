// A and C may be one object, and so may B and D.
class Program {
  static final Object A = 1, B = 2, C = 1, D = 2;

  public static void main(String[] arguments) {
    Thread t = new Thread(() -> {
      synchronized (A) {
        synchronized (B) {
        }
      }
    });
    t.start();
    synchronized (D) {
      synchronized (C) {
      }
    }
  }
}
