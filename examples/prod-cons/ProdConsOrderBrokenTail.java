/** An item that is put behind others does not become the tail: the next one takes its place, and it is lost. */
public class ProdConsOrderBrokenTail {
    static class QueueItem {
        private QueueItem next;
    }

    static class Queue {
        private QueueItem head;
        private QueueItem tail;

        //@ invariant tail != null ==> \reach(head, next, tail);
        //@ invariant tail != null ==> tail.next == null;
        //@ invariant head == null <==> tail == null;
        //@ invariant \list(head, next);
        //@ invariant (\forall QueueItem i; i.next != null ==> i.next != head);

        void put() {
            QueueItem item = new QueueItem();
            synchronized (this) {
                insert(item);
            }
        }

        /** Null if the queue is empty. */
        QueueItem take() {
            synchronized (this) {
                return remove();
            }
        }

        //@ ensures \reach(head, next, item) && tail == item;
        private void insert(QueueItem item) {
            if (tail == null) {
                tail = item;
                head = item;
            } else {
                tail.next = item; // BROKEN: the tail stays where it is
            }
        }

        //@ ensures \result != null ==> !\reach(head, next, \result);
        private QueueItem remove() {
            QueueItem item = head;
            if (item != null) {
                QueueItem newHead = item.next;
                item.next = null;
                head = newHead;
                if (newHead == null) {
                    tail = null;
                }
            }
            return item;
        }
    }

    static class Producer extends Thread {
        private final Queue queue;

        Producer(Queue queue) {
            this.queue = queue;
        }

        @Override
        public void run() {
            for (;;) {
                queue.put();
            }
        }
    }

    static class Consumer extends Thread {
        private final Queue queue;

        Consumer(Queue queue) {
            this.queue = queue;
        }

        @Override
        public void run() {
            for (;;) {
                queue.take();
            }
        }
    }

    public static void main(String[] args) {
        Queue queue = new Queue();
        for (;;) {
            new Producer(queue).start();
            new Consumer(queue).start();
        }
    }
}
