// Behind the declaration `v` is the variable.
class Program {
  volatile int x = 3;
  volatile int v = 7;
  //@ ghost int g = 0;
  //@ global_invariant g != 7;

  void f() {
    int v = x; //@ set g = v;
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
