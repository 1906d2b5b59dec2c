/** Any number of threads that put something into the queue. */
public class Enqueuers {
    public static void main(String[] args) {
        TwoLockQueue queue = new TwoLockQueue();
        for (;;) {
            new Enqueuer(queue).start();
        }
    }
}
