import concord.Concord;

/** What is taken again has the fields that it had, belongs to one thread, and may be looked at by others. */
class Program {
  static class Node {
    volatile int value;
    int plain;
  }
  static volatile Node shared;

  public static void main(String[] args) {
    Node node = new Node();
    node.value = 7;
    node.plain = 3;
    shared = node;
    new Thread(() -> {
      Node seen = shared;
      int value = seen.value; // while it is free, too
      assert value == 7 || value == 8;
    }).start();
    new Thread(() -> take()).start();
    new Thread(() -> take()).start();
    Concord.free(node);
  }

  static void take() {
    Node taken = Concord.reused(Node.class);
    if (taken != null) {
      assert taken.value == 7 && taken.plain == 3;
      taken.value = 8;
      taken.plain = 4;
    }
  }
}
