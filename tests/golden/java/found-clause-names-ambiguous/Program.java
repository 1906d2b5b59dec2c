// Java would not know which one is meant either.
class Program {
  interface I {
    int N = 1;
  }

  static class B {
    static int N = 2;
  }

  static class C extends B implements I {
    //@ requires N == 2;
    static void f() {}
  }

  static class K {
    static int s = 1;
  }

  static class D {
    static void g() {
      class K {
        int x;
      }
      new K();
    }

    //@ requires K.s == 1;
    static void f() {}
  }

  //@ requires a != b;
  static void boxes(Integer a, Integer b) {}

  public static void main(String[] arguments) {
    C.f();
    D.g();
    D.f();
    boxes(5, 5);
  }
}
