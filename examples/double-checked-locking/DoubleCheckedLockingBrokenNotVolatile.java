/** The field is not volatile: a thread may see the resource before what its constructor wrote. */
public class DoubleCheckedLockingBrokenNotVolatile {
    static class Resource {
        private int size;

        //@ invariant size == 16;

        Resource() {
            size = 16;
        }

        int size() {
            return size;
        }
    }

    private static final Object LOCK = new Object();

    //@ unwritable_by_env_if resource != null || LOCK.holder == tid;
    private static Resource resource;

    //@ ensures \result != null && \result == resource;
    static Resource resource() {
        Resource seen = resource;
        if (seen == null) {
            synchronized (LOCK) {
                seen = resource;
                if (seen == null) {
                    seen = new Resource();
                    resource = seen;
                }
            }
        }
        return seen;
    }

    static class User extends Thread {
        @Override
        public void run() {
            Resource mine = resource();
            int size = mine.size();
            assert size == 16;
            Resource again = resource();
            assert mine == again;
        }
    }

    public static void main(String[] args) {
        new User().start();
        new User().start();
    }
}
