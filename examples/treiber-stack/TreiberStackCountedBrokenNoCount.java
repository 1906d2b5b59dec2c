import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** Nodes are used again, and nothing says that the top has changed meanwhile. */
class TreiberStack {
    private static class Node {
        private volatile Item item; // who comes too late may look at a node that is used again
        private volatile Node next;
    }

    private final AtomicReference<Node> top = new AtomicReference<>();

    //@ global_invariant \list(top.value, next);
    //@ global_invariant (\forall Node n; \reach(top.value, next, n) ==> !n.freed);

    private static Node allocate() {
        Node node = Concord.reused(Node.class);
        return node != null ? node : new Node();
    }

    void push(Item item) {
        Node node = allocate();
        node.item = item;
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
            Item item = oldTop.item;
            if (top.compareAndSet(oldTop, newTop)) {
                Concord.free(oldTop);
                return item;
            }
        }
    }

    /** When nobody uses the stack any more: no node was lost. */
    //@ requires (\forall Node n; n.freed || \reach(top.value, next, n));
    void close() {}
}
