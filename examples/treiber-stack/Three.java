/** One thread that puts an item on the stack, two that take one off. */
public class Three {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        stack.push(new Item());
        new Pusher(stack).start();
        new Popper(stack).start();
        new Popper(stack).start();
    }
}
