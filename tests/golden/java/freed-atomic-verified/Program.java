import concord.Concord;
import java.util.concurrent.atomic.AtomicStampedReference;

/** A stamp that grows tells the link from the one that it was: the compare-and-set of who comes too late does nothing. */
class Program {
  static class Node {
    final AtomicStampedReference<Node> next = new AtomicStampedReference<>(null, 0);
  }
  static volatile Node shared = new Node();

  public static void main(String[] args) {
    Node node = shared;
    new Thread(() -> {
      int[] stamp = new int[1];
      Node next = node.next.get(stamp);
      if (next == null && stamp[0] == 0) {
        node.next.compareAndSet(null, node, 0, 1);
      }
    }).start();
    if (node.next.compareAndSet(null, null, 0, 1)) {
      Concord.free(node);
    }
    Node taken = Concord.reused(Node.class);
    assert taken == null || taken == node;
  }
}
