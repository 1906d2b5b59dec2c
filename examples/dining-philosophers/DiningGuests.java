/** A table with three forks, and guests without end: whichever two forks a guest needs, the one that comes first in the list is taken first. */
public class DiningGuests {
    static class Fork {
        final Fork next;
        /** Who eats with this fork. */
        Guest eater;

        Fork(Fork next) {
            this.next = next;
        }
    }

    static class Guest extends Thread {
        private final Fork first;
        private final Fork second;

        Guest(Fork first, Fork second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void run() {
            synchronized (first) {
                synchronized (second) {
                    first.eater = this;
                    second.eater = this;
                    first.eater = null;
                    second.eater = null;
                }
            }
        }
    }

    public static void main(String[] args) {
        Fork right = new Fork(null);
        Fork middle = new Fork(right);
        Fork left = new Fork(middle);
        for (;;) {
            new Guest(left, middle).start();
            new Guest(middle, right).start();
            new Guest(left, right).start();
        }
    }
}
