/** A list that grows until the bell rings; two threads for each cell swap its item with that of the cell after it. */
public class SwapAny {
    static volatile boolean enough;

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

    static class Bell extends Thread {
        @Override
        public void run() {
            enough = true;
        }
    }

    public static void main(String[] args) {
        new Bell().start();
        Cell list = new Cell(new Item(), null);
        while (!enough) {
            list = new Cell(new Item(), list);
            new Swapper(list, list.next).start();
            new Swapper(list, list.next).start();
        }
    }
}
