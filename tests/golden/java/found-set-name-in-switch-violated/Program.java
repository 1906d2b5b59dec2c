// Above the declaration `v` is the field, in a case of a switch too.
class Program {
  volatile int x = 3;
  volatile int v = 7;
  //@ ghost int g = 0;
  //@ global_invariant g != 7;

  void f(int k) {
    switch (k) {
      case 1:
        x = 3; //@ set g = v;
        int v = 2;
        x = v;
    }
  }

  public static void main(String[] arguments) {
    new Program().f(1);
  }
}
