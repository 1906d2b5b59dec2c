// Objects of different lambda expressions are different, and an object is itself.
class Program {
  static Runnable f() {
    return () -> {};
  }

  static Runnable g() {
    return () -> {};
  }

  public static void main(String[] arguments) {
    Runnable r = f();
    Object same = r;
    assert r == same;
    assert r != g();
  }
}
