// The program need not mention Thread for a ghost to be one.
class Program {
  volatile int x;
  //@ ghost Thread owner = null;
  //@ ghost set<Thread> all = {};

  //@ requires owner == null && tid in all && tid instanceof Object;
  synchronized void f() {}

  public static void main(String[] arguments) {
    Program p = new Program();
    //@ set p.owner = tid;
    //@ set p.all = p.all + {tid};
    p.x = 1;
    p.f();
  }
}
