/** `put` does not take the monitor of the queue. */
public class ProdConsBrokenPut {
    static class QueueItem {
        private QueueItem next;
    }

    static class Queue {
        private QueueItem head;
        private QueueItem tail;

        void put() {
            QueueItem item = new QueueItem();
            if (tail == null) {
                tail = item;
                head = item;
            } else {
                tail.next = item;
                tail = item;
            }
        }

        /** Null if the queue is empty. */
        QueueItem take() {
            synchronized (this) {
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
                QueueItem item = queue.take();
                if (item != null) {
                    QueueItem next = item.next;
                    assert next == null; // it is in the queue no more
                }
            }
        }
    }

    public static void main(String[] args) {
        Queue queue = new Queue();
        new Producer(queue).start();
        new Consumer(queue).start();
    }
}
