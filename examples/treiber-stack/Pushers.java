/** Any number of threads that put something on the stack. */
public class Pushers {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        for (;;) {
            new Pusher(stack).start();
        }
    }
}
