import java.util.concurrent.atomic.AtomicReference;

/** `push` links its node when others can see it already. */
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
            if (top.compareAndSet(oldTop, node)) {
                node.next = oldTop; // BROKEN: too late
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
            if (top.compareAndSet(oldTop, newTop)) {
                return oldTop.item;
            }
        }
    }

    /** Nobody uses the stack any more, and the garbage collector has its nodes. */
    void close() {}
}
