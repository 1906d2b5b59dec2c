// C.x is 2; the field of the same name that it hides is 1.
class Program {
  static class B {
    int x = 1;
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
    b.x = 1;
    C c = make();
    assert c.x == 2 && ((B) c).x == 1;
  }
}
