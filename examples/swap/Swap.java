/** Two threads swap the items of two cells of a list; the cell that comes first in the list is locked first. */
public class Swap {
    static class Item {}

    static class Cell {
        final Cell next;
        Item item;

        Cell(Item item, Cell next) {
            this.item = item;
            this.next = next;
        }
    }

    static class Swapper extends Thread {
        private final Cell first;
        private final Cell second;

        Swapper(Cell first, Cell second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void run() {
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
        Cell list = new Cell(new Item(), new Cell(new Item(), null));
        new Swapper(list, list.next).start();
        new Swapper(list, list.next).start();
    }
}
