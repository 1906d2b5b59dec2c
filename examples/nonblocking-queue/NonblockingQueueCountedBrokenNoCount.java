import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** Nodes are used again, and nothing says that a reference has changed meanwhile. */
class NonblockingQueue {
    private static class Node {
        private volatile Item item;
        private final AtomicReference<Node> next = new AtomicReference<>();
    }

    private final AtomicReference<Node> head; // the node before the first item
    private final AtomicReference<Node> tail; // the last node, or the one before it

    //@ global_invariant \reach(head.value, next, tail.value);
    //@ global_invariant \list(head.value, next);
    //@ global_invariant tail.value != null;
    //@ global_invariant (\forall Node n; \reach(head.value, next, n) ==> n.next.value != head.value);
    //@ global_invariant (\forall Node n; \reach(head.value, next, n) ==> !n.freed);

    NonblockingQueue() {
        Node node = new Node();
        head = new AtomicReference<>(node);
        tail = new AtomicReference<>(node);
    }

    private static Node allocate() {
        Node node = Concord.reused(Node.class);
        return node != null ? node : new Node();
    }

    void enqueue(Item item) {
        Node node = allocate();
        node.item = item;
        node.next.set(null);
        while (true) {
            Node last = tail.get();
            Node next = last.next.get();
            if (last == tail.get()) {
                if (next == null) {
                    if (last.next.compareAndSet(null, node)) {
                        tail.compareAndSet(last, node);
                        return;
                    }
                } else {
                    tail.compareAndSet(last, next);
                }
            }
        }
    }

    /** Null if the queue is empty. */
    Item dequeue() {
        while (true) {
            Node first = head.get();
            Node last = tail.get();
            Node next = first.next.get();
            if (first == head.get()) {
                if (first == last) {
                    if (next == null) {
                        return null;
                    }
                    tail.compareAndSet(last, next);
                } else {
                    Item item = next.item;
                    if (head.compareAndSet(first, next)) {
                        Concord.free(first);
                        return item;
                    }
                }
            }
        }
    }

    /** When nobody uses the queue any more: no node was lost. */
    //@ requires (\forall Node n; n.freed || \reach(head.value, next, n));
    void close() {}
}
