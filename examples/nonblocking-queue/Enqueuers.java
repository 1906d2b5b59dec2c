/** Any number of threads that put something into the queue. */
public class Enqueuers {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        for (;;) {
            new Enqueuer(queue).start();
        }
    }
}
