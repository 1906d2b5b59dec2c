// A sum of floating-point numbers depends on the order: 1 is lost next to 1e16.
class Program {
    private static double sum;
    private static final Object lock = new Object();

    static void add(double d) {
        synchronized (lock) {
            sum += d;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> add(1));
        thread.start();
        add(1e16);
        add(-1e16);
        thread.join();
        synchronized (lock) {
            assert sum == 1;
        }
    }
}
