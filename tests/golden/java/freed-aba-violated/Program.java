import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** The old reference is the new object: the compare-and-set cannot tell. */
class Program {
  static class Node {
    volatile Node next;
  }
  private final AtomicReference<Node> top = new AtomicReference<>();

  void push(Node node) {
    Node old = top.get();
    node.next = old;
    top.set(node);
  }

  Node pop() {
    Node old = top.get();
    Node next = old == null ? null : old.next;
    return old != null && top.compareAndSet(old, next) ? old : null;
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
        Node top = stack.top.get();
        assert top == again || top == null;
      }
    }
  }
}
