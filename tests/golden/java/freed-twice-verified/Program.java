import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** Whoever takes the node out frees it. */
class Program {
  static class Node {}
  static final AtomicReference<Node> shared = new AtomicReference<>(new Node());

  static void release() {
    Node node = shared.getAndSet(null);
    if (node != null) {
      Concord.free(node);
    }
  }

  public static void main(String[] args) {
    new Thread(() -> release()).start();
    release();
  }
}
