/** As DiningRing, but nobody says who eats: forks know nothing of philosophers. */
public class DiningTable {
    static volatile boolean full;

    static class Fork {
        final Fork left;
        /** How often somebody has eaten from the bowl beside this fork. */
        int meals;

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
                    first.meals++;
                    second.meals++;
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
        new Philosopher(leftmost, rightmost).start();
    }
}
