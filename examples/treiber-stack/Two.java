/** One thread that puts an item on the stack, one that takes one off: few enough to look at everything that may happen. */
public class Two {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        stack.push(new Item());
        new Pusher(stack).start();
        new Popper(stack).start();
    }
}
