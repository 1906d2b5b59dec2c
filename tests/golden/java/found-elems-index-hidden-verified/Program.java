// In the clause i is the index, although the class has a variable i.
class Program {
  static volatile int i = 1;
  final Object lock = new Object();
  //@ elems_unwritable_by_env_if[i] i == 1 && holder == tid;
  final int[] data = new int[2];

  synchronized void first() {
    synchronized (lock) {
      data[0] = 1;
    }
  }

  void second() {
    synchronized (lock) {
      data[0] = 2;
    }
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    Thread t = new Thread(p::second);
    t.start();
    p.first();
  }
}
