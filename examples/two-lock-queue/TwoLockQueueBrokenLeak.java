import concord.Concord;

/** `dequeue` looks at an item that it has set to null. */
class TwoLockQueue {
    private static class Node {
        private volatile Node next; // of the last node it is written with one lock held and read with the other one
        private Item item;

        Node(Item item) {
            this.item = item;
        }
    }

    private final Object headLock = new Object();
    private final Object tailLock = new Object();
    private Node head; // the node before the first item
    private Node tail;

    //@ global_invariant head != null && tail != null;
    //@ global_invariant \list(head, next);
    //@ global_invariant tailLock.holder == null ==> \reach(head, next, tail);
    //@ global_invariant tailLock.holder == null ==> tail.next == null;
    //@ global_invariant (\forall Node n; \reach(head, next, n) ==> n.next != head);

    TwoLockQueue() {
        Node node = new Node(null);
        head = node;
        tail = node;
    }

    void enqueue(Item item) {
        Node node = new Node(item);
        synchronized (tailLock) {
            tail.next = node;
            tail = node;
        }
    }

    /** Null if the queue is empty. */
    Item dequeue() {
        synchronized (headLock) {
            Node node = head;
            Node newHead = node.next;
            if (newHead == null) {
                return null;
            }
            Item item = newHead.item;
            newHead.item = null;
            head = newHead;
            if (node.item != null) {
                Concord.free(node); // BROKEN: the item is never there any more
            }
            return item;
        }
    }

    /** When nobody uses the queue any more: no node was lost. */
    //@ requires (\forall Node n; n.freed || \reach(head, next, n));
    void close() {}
}
