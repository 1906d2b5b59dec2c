/** The signal is not remembered: who comes too late waits for ever. */
public class WaitAndNotifyBrokenIgnored {
    static volatile boolean enough;

    static class Event {
        void await() throws InterruptedException {
            synchronized (this) {
                wait();
            }
        }

        void signal() {
            synchronized (this) {
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
