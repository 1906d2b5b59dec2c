import concord.Concord;

/** Any number of threads that take something out of a queue with any number of items. */
public class Dequeuers {
    public static void main(String[] args) {
        TwoLockQueue queue = new TwoLockQueue();
        while (Concord.anyBoolean()) {
            queue.enqueue(new Item());
        }
        for (;;) {
            new Dequeuer(queue).start();
        }
    }
}
