import java.util.concurrent.atomic.AtomicReference;

/** `pop` does not look whether it was the one that took the node. */
class TreiberStack {
    private static class Node {
        private final Item item;
        private Node next; // written before anybody else knows the node

        Node(Item item) {
            this.item = item;
        }
    }

    private final AtomicReference<Node> top = new AtomicReference<>();

    //@ global_invariant \list(top.value, next);

    void push(Item item) {
        Node node = new Node(item);
        while (true) {
            Node oldTop = top.get();
            node.next = oldTop;
            if (top.compareAndSet(oldTop, node)) {
                return;
            }
        }
    }

    /** Null if the stack is empty. */
    Item pop() {
        while (true) {
            Node oldTop = top.get();
            if (oldTop == null) {
                return null;
            }
            Node newTop = oldTop.next;
            top.compareAndSet(oldTop, newTop); // BROKEN: whether it was done
            return oldTop.item;
        }
    }

    /** Nobody uses the stack any more, and the garbage collector has its nodes. */
    void close() {}
}
