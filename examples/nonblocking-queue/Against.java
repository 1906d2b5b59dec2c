/** While one thread takes, another one takes, puts and takes again: what the first one has seen may have changed, and changed back. */
public class Against {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        queue.enqueue(new Item());
        new Dequeuer(queue).start();
        queue.dequeue();
        queue.enqueue(new Item());
        queue.dequeue();
    }
}
