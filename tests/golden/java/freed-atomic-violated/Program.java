import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** The link is part of the node: who frees the node frees it, and to change it then is wrong. */
class Program {
  static class Node {
    final AtomicReference<Node> next = new AtomicReference<>();
  }
  static volatile Node shared = new Node();

  public static void main(String[] args) {
    new Thread(() -> {
      Node node = shared;
      if (node.next.get() == null) {
        node.next.compareAndSet(null, new Node());
      }
    }).start();
    Node node = shared;
    Concord.free(node);
    Node taken = Concord.reused(Node.class);
    assert taken == null || taken == node;
  }
}
