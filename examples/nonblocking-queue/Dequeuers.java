import concord.Concord;

/** Any number of threads that take something out of a queue with any number of items. */
public class Dequeuers {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        while (Concord.anyBoolean()) {
            queue.enqueue(new Item());
        }
        for (;;) {
            new Dequeuer(queue).start();
        }
    }
}
