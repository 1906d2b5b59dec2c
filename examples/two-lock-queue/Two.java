/** One thread that puts, one that takes: few enough to look at everything that may happen. */
public class Two {
    public static void main(String[] args) {
        TwoLockQueue queue = new TwoLockQueue();
        new Enqueuer(queue).start();
        new Dequeuer(queue).start();
    }
}
