/** Any number of workers, each of which goes through a critical section again and again; what is critical is marked as a region. */
public class MutexRegion {
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
        Object lock = new Object();
        Section section = new Section();
        for (;;) {
            new Worker(lock, section).start();
        }
    }
}
