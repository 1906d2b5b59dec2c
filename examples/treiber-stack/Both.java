/** Any number of threads that put something on the stack, and any number that take something off. */
public class Both {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        for (;;) {
            new Pusher(stack).start();
            new Popper(stack).start();
        }
    }
}
