public class Pool {
    private final Object lock = new Object();
    private int free = 4;

    private boolean take() {
        synchronized (lock) {
            if (free == 0) return false;
            free--;
        }
        return true;
    }

    static class User extends Thread {
        private final Pool pool;

        User(Pool pool) {
            this.pool = pool;
        }

        @Override
        public void run() {
            if (pool != null) pool.take();
        }
    }

    public static void main(String[] args) {
        Pool pool = new Pool();
        while (true) new User(pool).start();
    }
}
