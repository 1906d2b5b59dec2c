/** Visitors wait at the gate with the house locked: the keeper cannot get to the gate, and nobody ever enters. */
public class NestedMonitorsBrokenOuterHeld {
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
            notifyAll();
        }
    }

    static class House {
        private final Gate gate = new Gate();
        private Visitor latest;

        synchronized void enter(Visitor visitor) throws InterruptedException {
            gate.pass();
            latest = visitor;
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
