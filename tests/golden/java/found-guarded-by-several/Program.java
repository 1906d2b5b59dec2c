class Program {
  @interface GuardedBy {
    String[] value();
  }

  static final Object a = new Object(), b = new Object();
  @GuardedBy({"a", "b"}) static int x;

  public static void main(String[] arguments) {
    x = 1;
    assert x == 1;
  }
}
