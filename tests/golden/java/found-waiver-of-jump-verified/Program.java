// The finally clause has a waiver of its own.
class Program {
  static volatile int x;

  static void f() {
    try {
      return;
    } finally {
      //@ nowarn assertion "known"
      assert x == 1;
    }
  }

  public static void main(String[] arguments) {
    f();
    assert x == 0;
  }
}
