/** A consumer that was woken does not look again whether there is an item. */
public class BoundedBufferBrokenIf {
    static final int CAPACITY = 1;

    static class Buffer {
        //@ elems_unwritable_by_env_if[i] holder == tid;
        private final int[] items = new int[CAPACITY];

        @GuardedBy("this")
        private int head;

        @GuardedBy("this")
        private int count;

        //@ global_invariant items != null && items.length == CAPACITY;
        //@ global_invariant (\forall Buffer b; b != this ==> b.items != items);
        //@ invariant 0 <= head && head < CAPACITY && 0 <= count && count <= CAPACITY;
        //@ invariant count > 0 ==> items[head] > 0;

        //@ requires value > 0;
        synchronized void put(int value) throws InterruptedException {
            //@ loop_invariant 0 <= head && head < CAPACITY && 0 <= count && count <= CAPACITY;
            //@ loop_invariant count > 0 ==> items[head] > 0;
            while (count == CAPACITY) {
                wait();
            }
            items[(head + count) % CAPACITY] = value;
            count++;
            notifyAll();
        }

        //@ ensures \result > 0;
        synchronized int take() throws InterruptedException {
            if (count == 0) {
                wait();
            }
            int value = items[head];
            head = (head + 1) % CAPACITY;
            count--;
            notifyAll();
            return value;
        }
    }

    static class Producer extends Thread {
        private final Buffer buffer;
        private final int value;

        //@ requires buffer != null && value > 0;
        Producer(Buffer buffer, int value) {
            this.buffer = buffer;
            this.value = value;
        }

        //@ requires buffer != null && value > 0;
        @Override
        public void run() {
            try {
                buffer.put(value);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static class Consumer extends Thread {
        private final Buffer buffer;

        //@ requires buffer != null;
        Consumer(Buffer buffer) {
            this.buffer = buffer;
        }

        //@ requires buffer != null;
        @Override
        public void run() {
            try {
                int value = buffer.take();
                assert value > 0;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) {
        Buffer buffer = new Buffer();
        new Producer(buffer, 1).start();
        new Producer(buffer, 2).start();
        new Consumer(buffer).start();
        new Consumer(buffer).start();
    }

    @interface GuardedBy {
        String value();
    }
}
