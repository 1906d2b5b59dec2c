// The invariant is due when the initialisers have run.
public class Program {
  static final Object LOCK = make();
  static final Object OTHER = new Object();

  //@ global_invariant OTHER != null;
  //@ global_invariant LOCK != null;

  static Object make() {
    return OTHER;
  }

  public static void main(String[] args) {
    synchronized (OTHER) {
      assert LOCK == OTHER;
    }
  }
}
