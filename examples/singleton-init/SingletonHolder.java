/** The instance is made when it is first asked for: a nested class is initialised then, and only once. */
public class SingletonHolder {
    private static class Holder {
        static final SingletonHolder INSTANCE = new SingletonHolder();
    }

    static SingletonHolder instance() {
        return Holder.INSTANCE;
    }

    private int port;

    //@ invariant port == 80;

    private SingletonHolder() {
        port = 80;
    }

    int port() {
        return port;
    }

    static class User extends Thread {
        private SingletonHolder seen;

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
