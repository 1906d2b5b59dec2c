/** Clients know no door, so they cannot call `enter`; that they cannot is no deadlock. */
class Door {
    private static final Object left = new Object();
    private static final Object right = new Object();

    private Door() {}

    public synchronized void enter() {}

    public static void forward() {
        synchronized (left) {
            synchronized (right) {}
        }
    }

    public static void backward() {
        synchronized (right) {
            synchronized (left) {}
        }
    }
}
