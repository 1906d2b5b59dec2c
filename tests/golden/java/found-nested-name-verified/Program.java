// N is the class that is nearest.
class Program {
  static class A {
    static class N {
      static int x = 1;
    }
  }

  static class B {
    static class N {
      static int x = 2;
    }

    //@ requires N.x == 2;
    static void f() {}
  }

  public static void main(String[] arguments) {
    B.f();
    assert A.N.x == 1 && B.N.x == 2;
  }
}
