// A call through an interface goes by its contract, and what implements it has to keep it: also a lambda expression, and a class
// whose parameter has another name. Where a class overrides a method with a contract, calls go by the one that is declared.
class Program {
    interface Counter {
        /*@ requires by > 0;
            modifies value, lock.holder;
            ensures 0 <= \result && \result <= 1000; */
        int advance(int by);
    }

    @GuardedBy("lock")
    static int value;
    static final Object lock = new Object();
    //@ global_invariant 0 <= value && value <= 1000;

    static class Plain implements Counter {
        public int advance(int n) {
            synchronized (lock) {
                if (n < 1000 - value) {
                    value = value + n;
                }
                return value;
            }
        }
    }

    static class Saturating extends Plain {
        @Override
        public int advance(int by) {
            if (by > 1000) {
                return super.advance(by - 1);
            }
            synchronized (lock) {
                value = 1000;
            }
            return by;
        }
    }

    //@ requires counter != null;
    static int twice(Counter counter) {
        int one = counter.advance(1);
        return counter.advance(2) + one;
    }

    static class Task extends Thread {
        private final Counter counter;

        //@ requires counter != null;
        Task(Counter counter) {
            this.counter = counter;
        }

        //@ requires counter != null;
        public void run() {
            assert twice(counter) <= 2000;
        }
    }

    public static void main(String[] args) {
        new Task(new Plain()).start();
        new Task(new Saturating()).start();
        new Task(by -> 1000).start();
        int most = new Plain().advance(5);
        assert most <= 1000;
    }
}

@interface GuardedBy {
    String value();
}
