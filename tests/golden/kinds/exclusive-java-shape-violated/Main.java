class Main {
    static final Object lock = new Object();
    static volatile int count;

    static class Worker extends Thread {
        @Override
        public void run() {
            for (;;) {
                synchronized (this) {
                    //@ exclusive critical begin
                    int old = count;
                    if (old > 3) {
                        break;
                    }
                    count = old + 1;
                    //@ exclusive critical end
                }
            }
        }
    }

    public static void main(String[] args) {
        new Worker().start();
        new Worker().start();
    }
}
