/** Workers go through the critical section without the lock. */
public class MutexBrokenNoLock {
    static class Section {
        /** Who is inside. */
        Worker inside;
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
                section.inside = this;
                Worker inside = section.inside;
                assert inside == this;
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
