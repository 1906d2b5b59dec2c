/** When the worker has ended, another one takes its place. */
public class RestartAfterJoin {
    static class Worker extends Thread {
        @Override
        public void run() {}
    }

    public static void main(String[] args) throws InterruptedException {
        Worker worker = new Worker();
        for (;;) {
            worker.start();
            worker.join();
            worker = new Worker();
        }
    }
}
