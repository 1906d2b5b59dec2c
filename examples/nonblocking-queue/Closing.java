/** A thread puts an item, and main another one; when both are done, main takes them and closes the queue. */
public class Closing {
    public static void main(String[] args) throws InterruptedException {
        NonblockingQueue queue = new NonblockingQueue();
        Enqueuer enqueuer = new Enqueuer(queue);
        enqueuer.start();
        queue.enqueue(new Item());
        enqueuer.join();
        Item item = queue.dequeue();
        assert item != null;
        item = queue.dequeue();
        assert item != null;
        item = queue.dequeue();
        assert item == null;
        queue.close();
    }
}
