// null is the thread that nobody is.
class Program {
  //@ ghost Thread owner = null;
  //@ ghost set<Thread> all = {null};

  //@ requires p.owner == t && t in p.all && t == null;
  static void f(Program p, Thread t) {
    assert t == null;
  }

  public static void main(String[] arguments) {
    f(new Program(), null);
  }
}
