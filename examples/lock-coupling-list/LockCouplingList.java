import concord.Concord;
import java.util.concurrent.locks.ReentrantLock;

/** A set of numbers, sorted, as a list in which each node is its own lock. Whoever goes along it lets go of a node only when he has the next one. */
class LockCouplingList {
    private static class Node extends ReentrantLock {
        private final int key;
        private Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private final Node last = new Node(0, null); // their keys do not count
    private final Node first = new Node(0, last);

    //@ global_invariant \list(first, next);
    //@ global_invariant \reach(first, next, last);
    //@ global_invariant last.next == null;

    /** False if it is there already. */
    boolean add(int key) {
        Node before = first;
        before.lock();
        Node node = before.next;
        node.lock();
        while (node != last && node.key < key) {
            before.unlock();
            before = node;
            node = node.next;
            node.lock();
        }
        boolean isNew = node == last || node.key != key;
        if (isNew) {
            before.next = new Node(key, node);
        }
        node.unlock();
        before.unlock();
        return isNew;
    }

    /** False if it is not there. */
    boolean remove(int key) {
        Node before = first;
        before.lock();
        Node node = before.next;
        node.lock();
        while (node != last && node.key < key) {
            before.unlock();
            before = node;
            node = node.next;
            node.lock();
        }
        boolean isThere = node != last && node.key == key;
        if (isThere) {
            before.next = node.next;
        }
        node.unlock();
        before.unlock();
        if (isThere) {
            Concord.free(node);
        }
        return isThere;
    }

    boolean contains(int key) {
        Node before = first;
        before.lock();
        Node node = before.next;
        node.lock();
        while (node != last && node.key < key) {
            before.unlock();
            before = node;
            node = node.next;
            node.lock();
        }
        boolean isThere = node != last && node.key == key;
        node.unlock();
        before.unlock();
        return isThere;
    }

    /** When nobody uses the list any more: no node was lost. */
    //@ requires (\forall Node n; n.freed || \reach(first, next, n));
    void close() {}
}
