// A thread that is not started is not null: it is nobody's identity.
class Program {
  //@ ghost Thread owner = null;
  //@ ghost set<Thread> all = {null};

  //@ requires p.owner != t && !(t in p.all);
  //@ requires p.owner != other && p.owner == null && tid != t && t != other;
  static void f(Program p, Thread t, Thread other) {
    assert t != null;
  }

  public static void main(String[] arguments) {
    f(new Program(), new Thread(), new Thread());
  }
}
