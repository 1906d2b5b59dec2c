/** Whoever has taken it out leaves it as it is: which of two threads that is no thread knows of another. */
class Item {}

/** Puts an item on the stack. */
class Pusher extends Thread {
    private final TreiberStack stack;

    Pusher(TreiberStack stack) {
        this.stack = stack;
    }

    @Override
    public void run() {
        stack.push(new Item());
    }
}

/** Takes an item off the stack. */
class Popper extends Thread {
    private final TreiberStack stack;

    Popper(TreiberStack stack) {
        this.stack = stack;
    }

    @Override
    public void run() {
        stack.pop();
    }
}
