/** When the worker has ended, the same one is started again, which cannot be. */
public class RestartAfterJoinBrokenDead {
    static class Worker extends Thread {
        @Override
        public void run() {}
    }

    public static void main(String[] args) throws InterruptedException {
        Worker worker = new Worker();
        for (;;) {
            worker.start();
            worker.join();
        }
    }
}
