class Main {
    static final Object first = new Object();
    static final Object second = new Object();
    //@ lock_order first < second;

    static class Worker extends Thread {
        @Override
        public void run() {
            synchronized (first) {
                synchronized (second) {
                    synchronized (first) {
                        Thread.yield();
                    }
                }
            }
        }
    }

    static class Other extends Thread {
        @Override
        public void run() {
            synchronized (second) {
                synchronized (first) {
                    Thread.yield();
                }
            }
        }
    }

    public static void main(String[] args) {
        new Worker().start();
        new Other().start();
    }
}
