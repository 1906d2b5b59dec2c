// A box is Comparable, wherever it was made.
class Program {
  static Object box() {
    return 1;
  }

  public static void main(String[] arguments) {
    Object it = box();
    assert it instanceof Comparable;
    assert it == it;
  }
}
