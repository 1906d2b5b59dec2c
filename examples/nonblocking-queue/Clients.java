/** Whoever has taken it out leaves it as it is: which of two threads that is no thread knows of another. */
class Item {}

/** Puts something into the queue. */
class Enqueuer extends Thread {
    private final NonblockingQueue queue;

    Enqueuer(NonblockingQueue queue) {
        this.queue = queue;
    }

    @Override
    public void run() {
        queue.enqueue(new Item());
    }
}

/** Takes something out of the queue. */
class Dequeuer extends Thread {
    private final NonblockingQueue queue;

    Dequeuer(NonblockingQueue queue) {
        this.queue = queue;
    }

    @Override
    public void run() {
        queue.dequeue();
    }
}
