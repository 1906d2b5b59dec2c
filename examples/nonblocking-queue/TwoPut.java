/** Two threads that put and one that takes, beside an item that is there from the beginning. */
public class TwoPut {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        queue.enqueue(new Item());
        new Enqueuer(queue).start();
        new Enqueuer(queue).start();
        new Dequeuer(queue).start();
    }
}
