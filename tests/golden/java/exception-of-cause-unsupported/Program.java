// An exception asks its cause, or whatever its detail is, for its text.
class Program {
  static class Named {
    @Override
    public String toString() {
      assert false;
      return "";
    }
  }

  static class Refused extends RuntimeException {
    @Override
    public String toString() {
      assert false;
      return "";
    }
  }

  static void detail() {
    Throwable made = new AssertionError(new Named());
    assert made != null;
  }

  public static void main(String[] arguments) {
    Throwable made = new RuntimeException(new Refused());
    assert made != null;
    detail();
  }
}
