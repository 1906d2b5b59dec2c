/** A worker is sent to the background when it runs already. */
public class DaemonBeforeStartBrokenLate {
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
            worker.start();
            worker.setDaemon(true);
        }
    }
}
