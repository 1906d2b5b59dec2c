// The thread that initialises the classes of a library has an object of its own.
public class Program {
    static int x;

    static {
        if (System.nanoTime() % 2 == 0) {
            Thread me = Thread.currentThread();
            x = 1;
            assert x == 0;
        }
    }

    public static void f() {
    }
}
