// The `set` belongs to the read of x, not to the write of the finally clause.
class Program {
  static volatile int x, y;
  //@ ghost int g = 0;
  //@ global_invariant g == 1 ==> y == 5;

  int f() {
    try {
      //@ set g = 1;
      return x;
    } finally {
      y = 5;
    }
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
