/** The worker is joined before it is started: the join does not wait, and the result may not be there. */
public class JoinAfterStartBrokenEarly {
    static class Result {}

    static class Worker extends Thread {
        private Result result;

        @Override
        public void run() {
            result = new Result();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (;;) {
            Worker worker = new Worker();
            worker.join();
            worker.start();
            Result result = worker.result;
            assert result != null;
        }
    }
}
