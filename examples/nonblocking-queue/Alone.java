/** One thread alone: what was put first is taken first. */
public class Alone {
    public static void main(String[] args) {
        NonblockingQueue queue = new NonblockingQueue();
        Item first = new Item();
        Item second = new Item();
        Item none = queue.dequeue();
        assert none == null;
        queue.enqueue(first);
        queue.enqueue(second);
        Item item = queue.dequeue();
        assert item == first;
        queue.enqueue(first);
        item = queue.dequeue();
        assert item == second;
        item = queue.dequeue();
        assert item == first;
        none = queue.dequeue();
        assert none == null;
    }
}
