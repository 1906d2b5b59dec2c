/** The instance is made when it is first asked for, by two threads at once if need be. */
public class SingletonBrokenLazy {
    //@ unwritable_by_env_if instance != null;
    private static SingletonBrokenLazy instance;

    //@ ensures \result != null && \result == instance;
    static SingletonBrokenLazy instance() {
        if (instance == null) {
            instance = new SingletonBrokenLazy();
        }
        return instance;
    }

    private int port;

    //@ invariant port == 80;

    private SingletonBrokenLazy() {
        port = 80;
    }

    int port() {
        return port;
    }

    static class User extends Thread {
        private SingletonBrokenLazy seen;

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
