import concord.Concord;

/** Objects of the class are taken again, and yet a freed one must not be written. */
class Program {
  static class Node {
    volatile int value;
  }
  static volatile Node shared = new Node();

  public static void main(String[] args) {
    new Thread(() -> {
      Node node = shared;
      int value = node.value;
      node.value = value + 1;
    }).start();
    Concord.free(shared);
    Node taken = Concord.reused(Node.class);
    assert taken == null || taken == shared;
    if (taken != null) {
      taken.value = 5;
      int value = taken.value;
      assert value == 5;
    }
  }
}
