// The text of a record is made of its components' texts, that of an exception of its message.
class Program {
  static class A {
    public String toString() {
      assert false;
      return "";
    }
  }

  record R(A a) {}

  static class E extends RuntimeException {
    public String getMessage() {
      assert false;
      return "";
    }
  }

  public static void main(String[] arguments) {
    String record = "" + new R(new A());
    String exception = "" + new E();
    assert record != exception;
  }
}
