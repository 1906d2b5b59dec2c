/** Three philosophers; everybody takes the fork with the smaller number first. */
public class DiningPhilosophers {
    static final int SEATS = 3;
    static final int MEALS = 1;

    static class Fork {
        /** Who eats from the bowl beside this fork. */
        @GuardedBy("this")
        Philosopher eater;
    }

    static class Philosopher extends Thread {
        private final Fork first;
        private final Fork second;

        //@ requires first != null && second != null && first != second;
        Philosopher(Fork first, Fork second) {
            this.first = first;
            this.second = second;
        }

        //@ requires first != null && second != null && first != second;
        @Override
        public void run() {
            for (int meal = 0; meal < MEALS; meal++) {
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
    }

    public static void main(String[] args) {
        Fork[] forks = new Fork[SEATS];
        for (int i = 0; i < SEATS; i++) {
            forks[i] = new Fork();
        }
        for (int seat = 0; seat < SEATS; seat++) {
            int left = seat;
            int right = (seat + 1) % SEATS;
            int smaller = left < right ? left : right;
            int larger = left < right ? right : left;
            new Philosopher(forks[smaller], forks[larger]).start();
        }
    }

    @interface GuardedBy {
        String value();
    }
}
