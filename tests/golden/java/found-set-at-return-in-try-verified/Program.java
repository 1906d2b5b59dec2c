// The `set` belongs to the read of x. The finally clause writes later.
class Program {
  static volatile int x, y;
  //@ ghost int g = 0;
  //@ global_invariant g == 1 ==> y == 0 || y == 5;

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
