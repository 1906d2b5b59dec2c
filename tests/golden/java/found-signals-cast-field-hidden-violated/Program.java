// In `signals` the result is the exception.
class Program {
  static class E1 extends RuntimeException {
    int code = 1;
  }

  static class E2 extends E1 {
    int code = 2;
  }

  //@ signals (\result as E2).code == 1 && (\result as E1).code == 1;
  static void f() {
    throw new E2();
  }

  public static void main(String[] arguments) {
    E1 e = new E1();
    e.code = 1;
    try {
      f();
    } catch (E2 caught) {
      assert caught.code == 2;
    }
  }
}
