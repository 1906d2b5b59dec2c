/** Main takes an item off as well. */
public class Four {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        stack.push(new Item());
        new Pusher(stack).start();
        new Popper(stack).start();
        new Popper(stack).start();
        Item item = stack.pop();
        if (item != null) {
            item.owner = null;
        }
    }
}
