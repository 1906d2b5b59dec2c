/** Two threads swap the items of two cells of a list, whichever way round they were given; the cell with the smaller number is locked first. */
public class SwapById {
    static class Item {}

    static class Cell {
        final int id;
        final Cell next;
        Item item;

        Cell(int id, Item item, Cell next) {
            this.id = id;
            this.item = item;
            this.next = next;
        }
    }

    static class Swapper extends Thread {
        private final Cell one;
        private final Cell other;

        Swapper(Cell one, Cell other) {
            this.one = one;
            this.other = other;
        }

        @Override
        public void run() {
            Cell first = one.id < other.id ? one : other;
            Cell second = one.id < other.id ? other : one;
            synchronized (first) {
                synchronized (second) {
                    Item item = first.item;
                    first.item = second.item;
                    second.item = item;
                }
            }
        }
    }

    public static void main(String[] args) {
        Cell list = new Cell(1, new Item(), new Cell(2, new Item(), null));
        new Swapper(list, list.next).start();
        new Swapper(list.next, list).start();
    }
}
