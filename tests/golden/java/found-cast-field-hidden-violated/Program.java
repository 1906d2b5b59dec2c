// Seen as a C its x is C's. Java's cast is understood too.
class Program {
  static class B {
    int x = 1;
  }

  static class C extends B {
    int x = 2;
  }

  //@ requires ((C) o).x == 1 && o.x == 1;
  static void f(B o) {
    assert ((C) o).x == 2;
  }

  public static void main(String[] arguments) {
    B b = new B();
    b.x = 1;
    f(new C());
  }
}
