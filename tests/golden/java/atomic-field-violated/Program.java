import java.util.concurrent.atomic.AtomicReference;

/** As atomic-field-verified, but nobody looks whether the list has changed meanwhile. */
class Program {
  static class Node {
    private final AtomicReference<Node> next;

    Node(Node next) {
      this.next = new AtomicReference<>(next);
    }
  }

  private final AtomicReference<Node> first;
  private final Node last;

  //@ global_invariant \reach(first.value, next, last);
  //@ global_invariant last.next.value == null;
  //@ env_assumption \old(first.value) == first.value || first.value.next.value == \old(first.value);

  Program() {
    last = new Node(null);
    first = new AtomicReference<>(last);
  }

  void add() {
    Node old = first.get();
    first.set(new Node(old));
  }

  public static void main(String[] args) {
    Program list = new Program();
    new Thread(() -> list.add()).start();
    list.add();
    Node second = list.first.get().next.get();
    assert second != null;
  }
}
