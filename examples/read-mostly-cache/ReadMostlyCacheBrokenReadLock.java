import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The cache is filled under the read lock, which does not exclude others. */
public class ReadMostlyCacheBrokenReadLock {
    static final int SLOTS = 1;
    static final int MISSING = -1;

    static class Cache {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private final int[] keys = new int[SLOTS];
        private final int[] values = new int[SLOTS];

        //@ requires key > 0;
        //@ ensures \result == MISSING || \result == 3 * key;
        int get(int key) {
            lock.readLock().lock();
            try {
                int slot = key % SLOTS;
                return keys[slot] == key ? values[slot] : MISSING;
            } finally {
                lock.readLock().unlock();
            }
        }

        //@ requires key > 0 && value == 3 * key;
        void put(int key, int value) {
            lock.readLock().lock();
            try {
                int slot = key % SLOTS;
                keys[slot] = key;
                values[slot] = value;
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    static class User extends Thread {
        private final Cache cache;
        private final int key;

        //@ requires cache != null && key > 0;
        User(Cache cache, int key) {
            this.cache = cache;
            this.key = key;
        }

        //@ requires cache != null && key > 0;
        @Override
        public void run() {
            int value = cache.get(key);
            if (value == MISSING) {
                value = compute();
                cache.put(key, value);
            }
            assert value == 3 * key;
        }

        private int compute() {
            return 3 * key;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Cache cache = new Cache();
        User first = new User(cache, 1);
        User second = new User(cache, 2);
        first.start();
        second.start();
        first.join();
        second.join();
        int one = cache.get(1);
        int two = cache.get(2);
        assert (one == 3) != (two == 6);
    }
}
