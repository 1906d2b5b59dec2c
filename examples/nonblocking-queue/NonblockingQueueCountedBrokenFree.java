import concord.Concord;
import java.util.concurrent.atomic.AtomicStampedReference;

/** The node that is freed is the one that is the head now. */
class NonblockingQueue {
    private static class Node {
        private volatile Item item;
        private final AtomicStampedReference<Node> next = new AtomicStampedReference<>(null, 0);
    }

    private final AtomicStampedReference<Node> head; // the node before the first item
    private final AtomicStampedReference<Node> tail; // the last node, or the one before it

    //@ global_invariant \reach(head.reference, next, tail.reference);
    //@ global_invariant \list(head.reference, next);
    //@ global_invariant tail.reference != null;
    //@ global_invariant (\forall Node n; \reach(head.reference, next, n) ==> n.next.reference != head.reference);
    //@ global_invariant (\forall Node n; \reach(head.reference, next, n) ==> !n.freed);

    NonblockingQueue() {
        Node node = new Node();
        head = new AtomicStampedReference<>(node, 0);
        tail = new AtomicStampedReference<>(node, 0);
    }

    private static Node allocate() {
        Node node = Concord.reused(Node.class);
        return node != null ? node : new Node();
    }

    void enqueue(Item item) {
        Node node = allocate();
        node.item = item;
        node.next.set(null, node.next.getStamp());
        int[] tailCount = new int[1];
        int[] nextCount = new int[1];
        int[] countNow = new int[1];
        while (true) {
            Node last = tail.get(tailCount);
            Node next = last.next.get(nextCount);
            if (last == tail.get(countNow) && tailCount[0] == countNow[0]) {
                if (next == null) {
                    if (last.next.compareAndSet(null, node, nextCount[0], nextCount[0] + 1)) {
                        tail.compareAndSet(last, node, tailCount[0], tailCount[0] + 1);
                        return;
                    }
                } else {
                    tail.compareAndSet(last, next, tailCount[0], tailCount[0] + 1);
                }
            }
        }
    }

    /** Null if the queue is empty. */
    Item dequeue() {
        int[] headCount = new int[1];
        int[] tailCount = new int[1];
        int[] countNow = new int[1];
        while (true) {
            Node first = head.get(headCount);
            Node last = tail.get(tailCount);
            Node next = first.next.getReference();
            if (first == head.get(countNow) && headCount[0] == countNow[0]) {
                if (first == last) {
                    if (next == null) {
                        return null;
                    }
                    tail.compareAndSet(last, next, tailCount[0], tailCount[0] + 1);
                } else {
                    Item item = next.item;
                    if (head.compareAndSet(first, next, headCount[0], headCount[0] + 1)) {
                        Concord.free(next); // BROKEN: `first` is the one that nobody needs any more
                        return item;
                    }
                }
            }
        }
    }

    /** When nobody uses the queue any more: no node was lost. */
    //@ requires (\forall Node n; n.freed || \reach(head.reference, next, n));
    void close() {}
}
