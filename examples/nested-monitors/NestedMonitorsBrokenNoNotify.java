/** The keeper opens the gate and tells nobody: those who wait there already wait for ever. */
public class NestedMonitorsBrokenNoNotify {
    static volatile boolean evening;

    static class Gate {
        private boolean open;

        synchronized void pass() throws InterruptedException {
            while (!open) {
                wait();
            }
        }

        synchronized void open() {
            open = true;
        }
    }

    static class House {
        private final Gate gate = new Gate();
        private Visitor latest;

        void enter(Visitor visitor) throws InterruptedException {
            gate.pass();
            synchronized (this) {
                latest = visitor;
            }
        }

        synchronized void open() {
            latest = null;
            gate.open();
        }
    }

    static class Visitor extends Thread {
        private final House house;

        Visitor(House house) {
            this.house = house;
        }

        @Override
        public void run() {
            try {
                house.enter(this);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static class Keeper extends Thread {
        private final House house;

        Keeper(House house) {
            this.house = house;
        }

        @Override
        public void run() {
            evening = true;
            house.open();
        }
    }

    public static void main(String[] args) {
        House house = new House();
        new Keeper(house).start();
        while (!evening) {
            new Visitor(house).start();
        }
    }
}
