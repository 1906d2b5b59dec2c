/** Puts something itself, waits until a thread that puts and one that takes are done, and closes the queue. */
public class Closing {
    public static void main(String[] args) throws InterruptedException {
        NonblockingQueue queue = new NonblockingQueue();
        Enqueuer enqueuer = new Enqueuer(queue);
        Dequeuer dequeuer = new Dequeuer(queue);
        enqueuer.start();
        dequeuer.start();
        queue.enqueue(new Item());
        enqueuer.join();
        dequeuer.join();
        queue.close();
    }
}
