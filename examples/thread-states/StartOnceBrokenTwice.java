/** There is one worker, which is started again and again. */
public class StartOnceBrokenTwice {
    static class Worker extends Thread {
        @Override
        public void run() {}
    }

    public static void main(String[] args) {
        Worker worker = new Worker();
        for (;;) {
            worker.start();
        }
    }
}
