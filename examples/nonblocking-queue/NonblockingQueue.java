import java.util.concurrent.atomic.AtomicReference;

/** The queue of Michael and Scott, with a garbage collector. */
class NonblockingQueue {
    private static class Node {
        private final Item item;
        private final AtomicReference<Node> next = new AtomicReference<>();

        Node(Item item) {
            this.item = item;
        }
    }

    private final AtomicReference<Node> head; // the node before the first item
    private final AtomicReference<Node> tail; // the last node, or the one before it

    //@ global_invariant \reach(head.value, next, tail.value);
    //@ global_invariant \list(head.value, next);
    //@ global_invariant tail.value != null;
    //@ global_invariant (\forall Node n; \reach(head.value, next, n) ==> n.next.value != head.value);

    NonblockingQueue() {
        Node node = new Node(null);
        head = new AtomicReference<>(node);
        tail = new AtomicReference<>(node);
    }

    void enqueue(Item item) {
        Node node = new Node(item);
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
                        return item;
                    }
                }
            }
        }
    }

    /** Nobody uses the queue any more, and the garbage collector has its nodes. */
    void close() {}
}
