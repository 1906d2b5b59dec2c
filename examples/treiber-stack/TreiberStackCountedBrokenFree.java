import concord.Concord;
import java.util.concurrent.atomic.AtomicStampedReference;

/** `pop` frees the node before it is off the stack. */
class TreiberStack {
    private static class Node {
        private volatile Item item; // who comes too late may look at a node that is used again
        private volatile Node next;
    }

    private final AtomicStampedReference<Node> top = new AtomicStampedReference<>(null, 0);

    //@ global_invariant \list(top.reference, next);
    //@ global_invariant (\forall Node n; \reach(top.reference, next, n) ==> !n.freed);

    private static Node allocate() {
        Node node = Concord.reused(Node.class);
        return node != null ? node : new Node();
    }

    void push(Item item) {
        Node node = allocate();
        node.item = item;
        int[] count = new int[1];
        while (true) {
            Node oldTop = top.get(count);
            node.next = oldTop;
            if (top.compareAndSet(oldTop, node, count[0], count[0] + 1)) {
                return;
            }
        }
    }

    /** Null if the stack is empty. */
    Item pop() {
        int[] count = new int[1];
        while (true) {
            Node oldTop = top.get(count);
            if (oldTop == null) {
                return null;
            }
            Node newTop = oldTop.next;
            Item item = oldTop.item;
            Concord.free(oldTop); // BROKEN: it is on the stack still, and others may free it too
            if (top.compareAndSet(oldTop, newTop, count[0], count[0] + 1)) {
                return item;
            }
        }
    }

    /** When nobody uses the stack any more: no node was lost. */
    //@ requires (\forall Node n; n.freed || \reach(top.reference, next, n));
    void close() {}
}
