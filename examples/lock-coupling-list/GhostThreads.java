/** Adds a number. */
class Adder extends Thread {
    private final LockCouplingList list;
    private final int key;

    //@ requires list != null && list.isOpen;
    Adder(LockCouplingList list, int key) {
        this.list = list;
        this.key = key;
    }

    //@ requires list != null && list.isOpen;
    @Override
    public void run() {
        list.add(key);
    }
}

/** Removes a number. */
class Remover extends Thread {
    private final LockCouplingList list;
    private final int key;

    //@ requires list != null && list.isOpen;
    Remover(LockCouplingList list, int key) {
        this.list = list;
        this.key = key;
    }

    //@ requires list != null && list.isOpen;
    @Override
    public void run() {
        list.remove(key);
    }
}

/** Looks for a number. */
class Finder extends Thread {
    private final LockCouplingList list;
    private final int key;

    //@ requires list != null && list.isOpen;
    Finder(LockCouplingList list, int key) {
        this.list = list;
        this.key = key;
    }

    //@ requires list != null && list.isOpen;
    @Override
    public void run() {
        list.contains(key);
    }
}
