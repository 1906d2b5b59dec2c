// The annotation belongs to what stands behind it.
class Program {
  static int w; /*@ thread_local */ static int x, y;

  public static void main(String[] arguments) throws Exception {
    Thread t = new Thread(() -> {
      y = 1;
    });
    t.start();
    t.join();
    y = 2;
  }
}
