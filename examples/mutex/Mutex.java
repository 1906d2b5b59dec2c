/** Any number of workers, each of which goes through a critical section again and again. */
public class Mutex {
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
                synchronized (lock) {
                    section.inside = this;
                    Worker inside = section.inside;
                    assert inside == this;
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
