/** Adds a number. */
class Adder extends Thread {
    private final LockCouplingList list;
    private final int key;

    Adder(LockCouplingList list, int key) {
        this.list = list;
        this.key = key;
    }

    @Override
    public void run() {
        list.add(key);
    }
}

/** Removes a number. */
class Remover extends Thread {
    private final LockCouplingList list;
    private final int key;

    Remover(LockCouplingList list, int key) {
        this.list = list;
        this.key = key;
    }

    @Override
    public void run() {
        list.remove(key);
    }
}

/** Looks for a number. */
class Finder extends Thread {
    private final LockCouplingList list;
    private final int key;

    Finder(LockCouplingList list, int key) {
        this.list = list;
        this.key = key;
    }

    @Override
    public void run() {
        list.contains(key);
    }
}
