class Program {
  volatile int x;

  void f() {
    //@ ghost int k = 0;
    //@ global_invariant x >= 0;
    x = 1;
    //@ lock_order this < this;
    //@ check deadlock;
    x = 2;
    Runnable r = () -> {
      //@ invariant x == 0;
      x = 3;
    };
  }

  void g() /*@ ghost int n; */ {
    x = 4;
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
