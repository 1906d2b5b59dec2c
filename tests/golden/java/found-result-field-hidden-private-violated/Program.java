// The private x of the superclass is another one.
class Program {
  static class B {
    private int x = 1;

    void p() {
      x = 1;
    }
  }

  static class C extends B {
    int x = 2;
  }

  //@ ensures \result.x == 1;
  static C make() {
    return new C();
  }

  public static void main(String[] arguments) {
    B b = new B();
    b.p();
    assert make().x == 2;
  }
}
