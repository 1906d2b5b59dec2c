/** Any number of workers in the background. */
public class DaemonBeforeStart {
    static class Worker extends Thread {
        @Override
        public void run() {
            for (;;) {
                Thread.onSpinWait();
            }
        }
    }

    public static void main(String[] args) {
        for (;;) {
            Worker worker = new Worker();
            worker.setDaemon(true);
            worker.start();
        }
    }
}
