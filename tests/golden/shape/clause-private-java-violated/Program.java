// A clause of a field that speaks of a static field, and an object that only one thread knows.
class Program {
  static volatile boolean y; static boolean ok; 
  static class Box { int v; //@ writable_if !Program.ok;
  }
  public static void main(String[] a) {
    Thread t = new Thread(() -> { while (!y) {} ok = true; });
    t.start();
    Box b = new Box();
    y = true;
    b.v = 1;
  }
}
