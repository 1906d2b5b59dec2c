// The elements have the type of the array.
class Program {
  static class B {
    int x = 1;
  }

  static class C extends B {
    int x = 2;
  }

  //@ ensures \result[0].x == 1 && \result.length == 1;
  static C[] make() {
    C[] made = new C[1];
    made[0] = new C();
    return made;
  }

  public static void main(String[] arguments) {
    B b = new B();
    b.x = 1;
    assert make()[0].x == 2;
  }
}
