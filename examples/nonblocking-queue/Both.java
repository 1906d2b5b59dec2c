/** Any number of threads that put something into the queue, and any number that take something out. */
public class Both {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        for (;;) {
            new Enqueuer(queue).start();
            new Dequeuer(queue).start();
        }
    }
}
