// Threads that run a lambda expression, a method reference, an object of a class, and an anonymous one: each runs its own
// task, for any number of rounds.
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
            if (taken < 2) {
                int place = taken;
                taken = place + 1;
                assert taken <= 2;
            }
        }
    }

    //@ global_invariant 0 <= taken && taken <= 2;

    public static void main(String[] args) {
        for (int i = 0; i < args.length; i++) {
            new Thread(() -> take()).start();
            new Thread(Program::take).start();
            new Thread(new Taker(i)).start();
            new Thread(new Runnable() {
                public void run() {
                    take();
                }
            }).start();
            Thread.currentThread().setName("main");
        }
    }
}

@interface GuardedBy {
    String value();
}
