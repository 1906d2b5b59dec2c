/** Any number of philosophers around a table. Everybody takes the fork with the smaller number first. */
public class DiningById {
    static volatile boolean full;

    static class Fork {
        final int id;
        final Fork left;
        /** Who eats from the bowl beside this fork. */
        Philosopher eater;

        Fork(int id, Fork left) {
            this.id = id;
            this.left = left;
        }
    }

    static class Philosopher extends Thread {
        private final Fork first;
        private final Fork second;

        Philosopher(Fork left, Fork right) {
            boolean ascending = left.id < right.id;
            first = ascending ? left : right;
            second = ascending ? right : left;
        }

        @Override
        public void run() {
            synchronized (first) {
                synchronized (second) {
                    first.eater = this;
                    second.eater = this;
                    boolean alone = first.eater == this && second.eater == this;
                    assert alone;
                }
            }
        }
    }

    static class Doorkeeper extends Thread {
        @Override
        public void run() {
            full = true;
        }
    }

    public static void main(String[] args) {
        new Doorkeeper().start();
        Fork leftmost = new Fork(0, null);
        Fork rightmost = leftmost;
        while (!full) {
            rightmost = new Fork(rightmost.id + 1, rightmost);
            new Philosopher(rightmost.left, rightmost).start();
        }
        new Philosopher(rightmost, leftmost).start();
    }
}
