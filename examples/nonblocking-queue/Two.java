/** One thread that puts, one that takes: few enough to look at everything that may happen. */
public class Two {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        new Enqueuer(queue).start();
        new Dequeuer(queue).start();
    }
}
