// Numbers with floating point: literals, constants, promotion, narrowing, compound assignment, comparison, boxes, arrays.
class Program {
    static final double THIRD = 1.0 / 3;
    static final float BIG = Float.MAX_VALUE;
    private static double sum;
    private static final Object lock = new Object();

    static double half(int n) {
        return n / 2.0;
    }

    static float next(float x) {
        return ++x;
    }

    static void add(double d) {
        synchronized (lock) {
            sum += d;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        // Integers become floating-point numbers, rounded if need be.
        assert half(3) == 1.5;
        float rounded = 16777217;
        assert rounded == 16777216f;
        double widened = 0.1f;
        assert widened != 0.1 && (float) widened == 0.1f;
        long large = 9007199254740993L;
        assert (double) large == 9007199254740992.0;
        // And back: towards zero, and the nearest that there is.
        assert (int) 2.9 == 2 && (int) -2.9 == -2;
        assert (int) 1e10 == Integer.MAX_VALUE && (long) -1e30 == Long.MIN_VALUE;
        assert (byte) 300.7 == 44 && (char) 65.5f == 'A' && (short) -1e10 == 0;
        // Not a number, infinities, two zeros.
        double nan = 0.0 / 0.0;
        assert nan != nan && !(nan < 1) && !(nan >= 1) && (int) nan == 0;
        assert 1 / 0.0 == Double.POSITIVE_INFINITY && BIG * 10 == 1 / 0f;
        assert 0.0 == -0.0 && 1 / -0.0 < 0;
        assert -7.5 % 2 == -1.5 && 5.5 % -2.5 == 0.5;
        // Compound assignment converts twice.
        int i = 10;
        i *= 1.25;
        assert i == 12;
        i += 0.9f;
        assert i == 12;
        char c = 'a';
        c += 1.7;
        assert c == 'b';
        float f = 1;
        f += 1e-10;
        assert f == 1f;
        f++;
        assert f == 2 && f-- == 2.0 && -f == -1 && next(f) == 2;
        // Boxes compare by value, and by its bits.
        Double boxed = THIRD;
        double product = boxed * 3;
        assert product == 1.0 && boxed > 0.3f;
        Object zero = 0.0;
        assert !zero.equals(-0.0) && zero.equals(0.0);
        double[] some = {1, 2.5, 'a'};
        some[0] -= 0.5;
        assert some[0] + some[1] + some[2] == 100.0;
        // Addition of powers of two is exact, whoever comes first.
        Thread thread = new Thread(() -> add(0.25));
        thread.start();
        add(0.5);
        thread.join();
        synchronized (lock) {
            assert sum == 0.75;
        }
    }
}
