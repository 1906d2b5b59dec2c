/** Any number of philosophers around a table. Everybody takes the left fork first, the last one too. */
public class DiningRingBrokenLeftFirst {
    static volatile boolean full;

    static class Fork {
        final Fork left;
        /** Who eats from the bowl beside this fork. */
        Philosopher eater;

        Fork(Fork left) {
            this.left = left;
        }
    }

    static class Philosopher extends Thread {
        private final Fork first;
        private final Fork second;

        Philosopher(Fork first, Fork second) {
            this.first = first;
            this.second = second;
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
        Fork leftmost = new Fork(null);
        Fork rightmost = leftmost;
        while (!full) {
            rightmost = new Fork(rightmost);
            new Philosopher(rightmost.left, rightmost).start();
        }
        new Philosopher(rightmost, leftmost).start();
    }
}
