/** One thread alone: what was put on last is taken off first. */
public class Alone {
    public static void main(String[] args) {
        TreiberStack stack = new TreiberStack();
        Item first = new Item();
        Item second = new Item();
        Item none = stack.pop();
        assert none == null;
        stack.push(first);
        stack.push(second);
        Item item = stack.pop();
        assert item == second;
        stack.push(second);
        item = stack.pop();
        assert item == second;
        item = stack.pop();
        assert item == first;
        none = stack.pop();
        assert none == null;
    }
}
