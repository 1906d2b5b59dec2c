/** The signaller is started before the monitor is taken: perhaps it notifies when nobody waits yet. */
public class NotifyAwaitedBrokenEarly {
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
        signaller.start();
        synchronized (event) {
            while (!event.happened) {
                event.wait();
            }
        }
    }
}
