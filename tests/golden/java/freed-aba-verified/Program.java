import concord.Concord;
import java.util.concurrent.atomic.AtomicStampedReference;

/** As freed-aba-violated, with a stamp. */
class Program {
  static class Node {
    volatile Node next;
  }
  private final AtomicStampedReference<Node> top = new AtomicStampedReference<>(null, 0);

  void push(Node node) {
    Node old = top.getReference();
    node.next = old;
    top.set(node, top.getStamp() + 1);
  }

  Node pop() {
    int[] stamp = new int[1];
    Node old = top.get(stamp);
    Node next = old == null ? null : old.next;
    return old != null && top.compareAndSet(old, next, stamp[0], stamp[0] + 1) ? old : null;
  }

  public static void main(String[] args) {
    Program stack = new Program();
    stack.push(new Node());
    stack.push(new Node());
    new Thread(() -> stack.pop()).start();
    Node first = stack.pop();
    Node second = first == null ? null : stack.pop();
    if (second != null) {
      Concord.free(first);
      Concord.free(second);
      Node again = Concord.reused(Node.class);
      if (again != null) {
        stack.push(again);
        Node top = stack.top.getReference();
        assert top == again || top == null;
      }
    }
  }
}
