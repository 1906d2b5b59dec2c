// No method stands directly behind these.
class Program {
  static int s;

  //@ ensures s == 5;
  static {
    s = 4;
  }

  static void f() {
    s = 5;
  }

  static int one() { return 2; } //@ ensures \result == 1;
  static int two() { return 1; }

  //@ ensures s == 5;
  static class Inner { }

  static int t; //@ requires s == 5;
  static void g() { }

  //@ guarded_by this;
  static { t = 4; }
  static int u;

  //@ nowarn race "which?"
  static class Other { }

  public static void main(String[] arguments) {
    f();
    g();
    one();
    two();
    //@ requires s == 0;
  }
}
