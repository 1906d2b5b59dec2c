import java.util.Objects;

class Program {
  static class Node {
    final Node next;

    Node(Node next) {
      this.next = Objects.requireNonNull(next);
    }

    Node() {
      next = null;
    }
  }

  public static void main(String[] args) {
    Node last = new Node();
    Node first = new Node(last);
    assert first.next == last;
    new Node(last.next);
  }
}
