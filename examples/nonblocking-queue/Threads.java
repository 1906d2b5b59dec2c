/** What is in the queue. Whoever has taken it out may do with it what he likes. */
class Item {
    Thread owner;
}

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
        Item item = queue.dequeue();
        if (item != null) {
            item.owner = this; // nobody else has it now
        }
    }
}
