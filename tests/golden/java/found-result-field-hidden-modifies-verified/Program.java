// What the caller may use is what the method does.
class Program {
  static class B {
    int x = 1;
  }

  static class C extends B {
    int x = 2;
  }

  //@ modifies;
  //@ ensures \result != null && \result.x == 2;
  static C make() {
    return new C();
  }

  public static void main(String[] arguments) {
    B b = new B();
    b.x = 1;
    C c = make();
    assert c.x == 2;
  }
}
