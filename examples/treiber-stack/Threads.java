/** What is on the stack. Whoever has taken it off may do with it what he likes. */
class Item {
    Thread owner;
}

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
        Item item = stack.pop();
        if (item != null) {
            item.owner = this; // nobody else has it now
        }
    }
}
