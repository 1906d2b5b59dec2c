// A class that only a clause speaks of.
class Program {
  static class Q {}

  static Q q;
  int x;

  //@ requires q != null;
  void f() {
    x = 1;
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    p.f();
    assert p.x == 1;
  }
}
