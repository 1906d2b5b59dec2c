/** Waits until two threads that put items on the stack are done, and takes both off. */
public class Closing {
    public static void main(String[] args) throws InterruptedException {
        TreiberStack stack = new TreiberStack();
        Pusher first = new Pusher(stack);
        Pusher second = new Pusher(stack);
        first.start();
        second.start();
        first.join();
        second.join();
        Item item = stack.pop();
        assert item != null;
        item = stack.pop();
        assert item != null;
        item = stack.pop();
        assert item == null;
        stack.close();
    }
}
