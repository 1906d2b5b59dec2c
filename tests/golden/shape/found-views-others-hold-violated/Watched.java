/** A thread that knows no object beside one whose object somebody else has locked: many threads, so that each is looked at by itself. */
public class Watched {
    static volatile boolean flag;

    static class Thing {
        volatile boolean ready;
    }

    /** Sets the flag, but only while a keeper holds the monitor of its object. */
    static class Setter extends Thread {
        private final Thing o;

        Setter(Thing o) {
            this.o = o;
        }

        @Override
        public void run() {
            if (o.ready) {
                flag = true;
                o.ready = true;
            }
        }
    }

    static class Keeper extends Thread {
        private final Thing o;

        Keeper(Thing o) {
            this.o = o;
        }

        @Override
        public void run() {
            synchronized (o) {
                o.ready = true;
                while (true) {
                }
            }
        }
    }

    /** Knows none of these objects. */
    static class Watcher extends Thread {
        @Override
        public void run() {
            boolean seen = flag;
            assert !seen;
        }
    }

    public static void main(String[] args) {
        new Watcher().start();
        while (true) {
            Thing o = new Thing();
            new Keeper(o).start();
            new Setter(o).start();
        }
    }
}
