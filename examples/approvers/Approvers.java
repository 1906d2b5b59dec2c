/** A producer, a consumer and any number of approvers share a queue. */
public class Approvers {
    static class QueueItem {
        private QueueItem next;
        private boolean approved;

        void approve() {
            approved = true;
        }
    }

    static class Queue {
        private QueueItem head;
        private QueueItem tail;

        void put() {
            QueueItem item = new QueueItem();
            synchronized (this) {
                if (tail == null) {
                    tail = item;
                    head = item;
                } else {
                    tail.next = item;
                    tail = item;
                }
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

        void approveHead() {
            synchronized (this) {
                if (head != null) {
                    head.approve();
                }
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
                    boolean before = item.approved;
                    boolean after = item.approved;
                    assert before == after; // nobody approves it any more
                }
            }
        }
    }

    static class Approver extends Thread {
        private final Queue queue;

        Approver(Queue queue) {
            this.queue = queue;
        }

        @Override
        public void run() {
            queue.approveHead();
        }
    }

    public static void main(String[] args) {
        Queue queue = new Queue();
        new Producer(queue).start();
        new Consumer(queue).start();
        for (;;) {
            new Approver(queue).start();
        }
    }
}
