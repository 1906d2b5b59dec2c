/** A thread looks at the event under the monitor and waits without it. */
public class WaitAndNotifyBrokenWait {
    static volatile boolean enough;

    static class Event {
        private boolean happened;

        void await() throws InterruptedException {
            boolean wait;
            synchronized (this) {
                wait = !happened;
            }
            if (wait) {
                wait();
            }
        }

        void signal() {
            synchronized (this) {
                happened = true;
                notifyAll();
            }
        }
    }

    static class Waiter extends Thread {
        private final Event event;

        Waiter(Event event) {
            this.event = event;
        }

        @Override
        public void run() {
            try {
                event.await();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static class Signaller extends Thread {
        private final Event event;

        Signaller(Event event) {
            this.event = event;
        }

        @Override
        public void run() {
            enough = true;
            event.signal();
        }
    }

    public static void main(String[] args) {
        Event event = new Event();
        new Signaller(event).start();
        while (!enough) {
            new Waiter(event).start();
        }
    }
}
