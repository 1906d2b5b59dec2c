// A field of the program means itself, whatever else has its name.
class Program {
  int depth;
  int holder = 4;

  //@ requires holder == 4;
  //@ ensures depth == -1;
  void f() {
    depth = -1;
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    p.f();
    assert p.depth == -1;
  }
}
