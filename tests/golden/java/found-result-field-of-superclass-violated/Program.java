// The result is a C, but of type B: its x is B's.
class Program {
  static class B {
    int x = 1;
  }

  static class C extends B {
    int x = 2;
  }

  //@ ensures \result.x == 2;
  static B make() {
    return new C();
  }

  public static void main(String[] arguments) {
    assert make().x == 1;
  }
}
