/** Whoever has joined the worker finds its result. */
public class JoinAfterStart {
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
            worker.start();
            worker.join();
            Result result = worker.result;
            assert result != null;
        }
    }
}
