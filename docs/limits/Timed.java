/** A door that is waited for, but not for ever. */
class Timed {
    private boolean open;

    synchronized boolean enter() throws InterruptedException {
        if (!open) {
            wait(10);
        }
        return open;
    }

    public static void main(String[] args) throws InterruptedException {
        new Timed().enter();
    }
}
