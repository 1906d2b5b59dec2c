/** Who starts the signaller holds the monitor until it waits: the notification always finds somebody. */
public class NotifyAwaited {
    static class Event {
        boolean happened;
    }

    static class Signaller extends Thread {
        private final Event event;

        Signaller(Event event) {
            this.event = event;
        }

        @Override
        public void run() {
            synchronized (event) {
                event.happened = true;
                event.notify();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Event event = new Event();
        Signaller signaller = new Signaller(event);
        synchronized (event) {
            signaller.start();
            while (!event.happened) {
                event.wait();
            }
        }
    }
}
