/** Any number of workers, all made at one place; each is started once. */
public class StartOnce {
    static class Worker extends Thread {
        @Override
        public void run() {}
    }

    public static void main(String[] args) {
        for (;;) {
            Worker worker = new Worker();
            worker.start();
        }
    }
}
