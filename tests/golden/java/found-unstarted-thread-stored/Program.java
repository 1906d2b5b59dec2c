// What is kept is the identity, and a thread that is not started has none.
class Program {
  static volatile int z;
  //@ ghost Thread owner = null;
  //@ ghost set<Thread> all = {};
  //@ ghost map<Thread, int> count;

  //@ requires p.count[t] == 0;
  static void f(Program p, Thread t) {
    //@ set p.owner = t;
    z = 1;
    //@ set p.all = p.all + {t};
    z = 2;
    //@ set p.count = p.count[t := 1];
    z = 3;
  }

  public static void main(String[] arguments) {
    f(new Program(), new Thread());
  }
}
