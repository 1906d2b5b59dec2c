// The precondition speaks of the static field: the private one of the superclass is not inherited.
class Program {
  static int v = 1;

  static class A {
    private int v = 7;
  }

  static class B extends A {
    //@ requires v == 7;
    void f() {
      assert v == 1;
    }
  }

  public static void main(String[] arguments) {
    new B().f();
  }
}
