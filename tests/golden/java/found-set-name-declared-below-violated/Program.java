// Above the declaration `v` is the field.
class Program {
  volatile int x = 3;
  volatile int v = 7;
  //@ ghost int g = 0;
  //@ global_invariant g != 7;

  void f() {
    //@ set g = v;
    int v = x;
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
