/** One thread that puts and two that take, beside an item that is there from the beginning. */
public class TwoTake {
    public static void main(String[] args) {
        TwoLockQueue queue = new TwoLockQueue();
        queue.enqueue(new Item());
        new Enqueuer(queue).start();
        new Dequeuer(queue).start();
        new Dequeuer(queue).start();
    }
}
