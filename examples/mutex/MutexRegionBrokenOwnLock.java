/** Every worker takes a lock of its own, and so two may be in the region at once. */
public class MutexRegionBrokenOwnLock {
    static class Section {
        volatile int visits;
    }

    static class Worker extends Thread {
        private final Object lock;
        private final Section section;

        Worker(Object lock, Section section) {
            this.lock = lock;
            this.section = section;
        }

        @Override
        public void run() {
            for (;;) {
                synchronized (lock) {
                    //@ exclusive critical begin
                    int visits = section.visits;
                    section.visits = visits + 1;
                    //@ exclusive critical end
                }
            }
        }
    }

    public static void main(String[] args) {
        Section section = new Section();
        for (;;) {
            new Worker(new Object(), section).start();
        }
    }
}
