// What static initialisers make is there when main begins, and `static final` never changes: locks are mostly made so.
public class Program {
  static final Object LOCK = new Object();
  static final int STEP = step();

  //@ global_invariant LOCK != null && STEP == 2;

  //@ guarded_by LOCK;
  static int sum = STEP * 2;

  //@ global_invariant LOCK.holder == null ==> sum % 2 == 0;

  static int step() {
    return 2;
  }

  static class Adder extends Thread {
    @Override
    public void run() {
      synchronized (LOCK) {
        int seen = sum;
        sum = seen + STEP;
        assert sum == seen + 2;
      }
    }
  }

  public static void main(String[] args) {
    while (true) {
      new Adder().start();
    }
  }
}
