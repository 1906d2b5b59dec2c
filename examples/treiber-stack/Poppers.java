import concord.Concord;

/** Any number of threads that take something off a stack with any number of items. */
public class Poppers {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        while (Concord.anyBoolean()) {
            stack.push(new Item());
        }
        for (;;) {
            new Popper(stack).start();
        }
    }
}
