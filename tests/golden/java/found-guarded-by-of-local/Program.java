class Program {
  @interface GuardedBy {
    String value();
  }

  static final Object lock = new Object();

  public static void main(String[] arguments) {
    @GuardedBy("lock") int x = 1;
    assert x == 1;
  }
}
