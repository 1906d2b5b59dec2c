/** The instance is made when it is first asked for, under the monitor of the class. */
public class SingletonSynchronized {
    //@ unwritable_by_env_if instance != null || \holds(SingletonSynchronized.class);
    private static SingletonSynchronized instance;

    //@ ensures \result != null && \result == instance;
    static synchronized SingletonSynchronized instance() {
        if (instance == null) {
            instance = new SingletonSynchronized();
        }
        return instance;
    }

    private int port;

    //@ invariant port == 80;

    private SingletonSynchronized() {
        port = 80;
    }

    int port() {
        return port;
    }

    static class User extends Thread {
        private SingletonSynchronized seen;

        @Override
        public void run() {
            seen = instance();
            int port = seen.port();
            assert port == 80;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        User first = new User();
        User second = new User();
        first.start();
        second.start();
        first.join();
        second.join();
        boolean same = first.seen == second.seen;
        assert same;
    }
}
