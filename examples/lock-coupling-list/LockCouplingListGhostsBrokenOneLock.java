import concord.Concord;
import java.util.concurrent.locks.ReentrantLock;

/** Who removes a number has locked the node before it only; with ghosts that say which nodes are in the list. */
class LockCouplingList {
    private static class Node extends ReentrantLock {
        private final int key;

        //@ unwritable_by_env_if holder == tid;
        private Node next;

        //@ ghost boolean linked = false; // it is in the list,
        //@ ghost LockCouplingList list = null; // in this one,
        //@ ghost Node before = null; // behind this one
        //@ ghost Thread owner = null; // who has taken it out

        //@ global_invariant linked ==> list != null && owner == null && !this.freed;
        //@ global_invariant linked ==> this == list.last || next != null;
        //@ global_invariant linked && next != null ==> next.linked && next.before == this && next.list == list;
        //@ env_assumption holder == tid ==> linked == \old(linked) && list == \old(list);
        //@ env_assumption \old(owner) == tid ==> owner == tid && this.freed == \old(this.freed);

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private final Node last = new Node(0, null); // their keys do not count
    private final Node first = new Node(0, last);
    boolean isOpen = false;

    //@ global_invariant isOpen ==> first != null && last != null && first != last;
    //@ global_invariant isOpen ==> last.next == null && last.linked && last.list == this;
    //@ global_invariant isOpen ==> first.linked && first.list == this && first.before == null;
    //@ env_assumption \old(isOpen) ==> isOpen;

    /** Before anybody uses it. */
    //@ requires first != null && last != null && first != last && first.next == last && last.next == null && !first.linked && !last.linked;
    void open() {
        //@ set first.linked = true; set last.linked = true; set last.before = first; set first.list = this; set last.list = this;
        isOpen = true;
    }

    /** False if it is there already. */
    //@ requires isOpen;
    boolean add(int key) {
        Node before = first;
        before.lock();
        Node node = before.next;
        node.lock();
        //@ loop_invariant before != null && node != null && before != node && \holds(before) && \holds(node);
        //@ loop_invariant before.linked && node.linked && before.next == node && before.list == this && node.list == this;
        while (node != last && node.key < key) {
            before.unlock();
            before = node;
            node = node.next;
            node.lock();
        }
        boolean isNew = node == last || node.key != key;
        if (isNew) {
            Node made = new Node(key, node);
            //@ set made.linked = true; set made.before = before; set made.list = this; set node.before = made;
            before.next = made;
        }
        node.unlock();
        before.unlock();
        return isNew;
    }

    /** False if it is not there. */
    //@ requires isOpen;
    boolean remove(int key) {
        Node before = first;
        before.lock();
        Node node = before.next; // BROKEN: without its lock
        //@ loop_invariant before != null && node != null && before != node && \holds(before);
        //@ loop_invariant before.linked && node.linked && before.next == node && before.list == this && node.list == this;
        while (node != last && node.key < key) {
            node.lock();
            before.unlock();
            before = node;
            node = node.next;
        }
        boolean isThere = node != last && node.key == key;
        if (isThere) {
            Node after = node.next;
            //@ set node.linked = false; set node.owner = tid; set after.before = before;
            before.next = after;
        }
        before.unlock();
        if (isThere) {
            Concord.free(node);
        }
        return isThere;
    }

    //@ requires isOpen;
    boolean contains(int key) {
        Node before = first;
        before.lock();
        Node node = before.next;
        node.lock();
        //@ loop_invariant before != null && node != null && before != node && \holds(before) && \holds(node);
        //@ loop_invariant before.linked && node.linked && before.next == node && before.list == this && node.list == this;
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
}
