// A lambda expression that is evaluated twice may give one object.
class Program {
  static Runnable f() {
    return () -> {};
  }

  public static void main(String[] arguments) {
    assert f() != f();
  }
}
