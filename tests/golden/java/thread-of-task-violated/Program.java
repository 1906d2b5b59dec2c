// A thread that runs an object of a class, and one that runs a lambda expression.
class Program {
    private static final Object lock = new Object();

    @GuardedBy("lock")
    private static int taken;

    static class Taker implements Runnable {
        private final int rounds;

        Taker(int rounds) {
            this.rounds = rounds;
        }

        public void run() {
            for (int i = 0; i < rounds; i++) {
                take();
            }
        }
    }

    private static void take() {
        synchronized (lock) {
            if (taken <= 2) {
                int place = taken;
                taken = place + 1;
                assert taken <= 2;
            }
        }
    }

    //@ global_invariant 0 <= taken && taken <= 2;

    public static void main(String[] args) {
        new Thread(new Taker(1)).start();
        new Thread(() -> take()).start();
        take();
    }
}

@interface GuardedBy {
    String value();
}
