class Program {
  @interface GuardedBy {
    String value();
  }

  final Object lock = new Object();
  static final String NAME = "lock";

  void take(@GuardedBy("lock") int parameter) {
    java.util.function.IntConsumer consumer = (@GuardedBy("lock") int given) -> {};
    for (@GuardedBy("lock") int each : new int[1]) {
      consumer.accept(each);
    }
  }

  @GuardedBy("lock")
  void hidden(Object lock) {}

  @GuardedBy("itself")
  void itself() {}

  @GuardedBy(NAME)
  void named() {}

  public static void main(String[] arguments) {
    new Program().take(1);
  }
}
