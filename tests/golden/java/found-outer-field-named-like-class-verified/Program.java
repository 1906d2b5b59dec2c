// In I, Q is the field of the instance around, as in Java, not the class.
class Program {
  static class Q {
    static volatile int s = 1;
  }

  static class A {
    static class V {
      volatile int s = 2;
    }

    V Q = new V();

    class I {
      //@ requires Q.s == 2;
      void f() {
        assert Q.s == 2;
      }
    }
  }

  public static void main(String[] arguments) {
    A a = new A();
    A.I i = a.new I();
    i.f();
    assert Q.s == 1;
  }
}
