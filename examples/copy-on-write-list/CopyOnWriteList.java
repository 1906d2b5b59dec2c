import java.util.concurrent.atomic.AtomicReference;

/** A list whose writers replace the array, so that readers need no lock. */
public class CopyOnWriteList {
    static class Snapshot {
        final int[] values;

        //@ global_invariant values != null;

        //@ requires values != null;
        Snapshot(int[] values) {
            this.values = values;
        }
    }

    static class IntList {
        private final AtomicReference<Snapshot> snapshot = new AtomicReference<>(new Snapshot(new int[0]));

        //@ global_invariant snapshot != null && snapshot.value != null;

        void add(int value) {
            for (;;) {
                Snapshot before = snapshot.get();
                int[] old = before.values;
                if (old.length == Integer.MAX_VALUE) {
                    throw new OutOfMemoryError();
                }
                int[] grown = new int[old.length + 1];
                //@ loop_invariant 0 <= i && i <= old.length;
                for (int i = 0; i < old.length; i++) {
                    grown[i] = old[i];
                }
                grown[old.length] = value;
                if (snapshot.compareAndSet(before, new Snapshot(grown))) {
                    return;
                }
            }
        }

        boolean contains(int value) {
            int[] seen = snapshot.get().values;
            //@ loop_invariant 0 <= i;
            for (int i = 0; i < seen.length; i++) {
                if (seen[i] == value) {
                    return true;
                }
            }
            return false;
        }

        int size() {
            return snapshot.get().values.length;
        }
    }

    static class Adder extends Thread {
        private final IntList list;
        private final int value;

        //@ requires list != null;
        Adder(IntList list, int value) {
            this.list = list;
            this.value = value;
        }

        //@ requires list != null;
        @Override
        public void run() {
            list.add(value);
            boolean found = list.contains(value);
            assert found;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        IntList list = new IntList();
        Adder first = new Adder(list, 1);
        first.start();
        Adder second = new Adder(list, 2);
        second.start();
        first.join();
        second.join();
        int size = list.size();
        assert size == 2;
    }
}
