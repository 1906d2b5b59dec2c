/** The instance is made when the class is initialised. */
public class SingletonEager {
    private static final SingletonEager INSTANCE = new SingletonEager();

    static SingletonEager instance() {
        return INSTANCE;
    }

    private int port;

    //@ invariant port == 80;

    private SingletonEager() {
        port = 80;
    }

    int port() {
        return port;
    }

    static class User extends Thread {
        private SingletonEager seen;

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
