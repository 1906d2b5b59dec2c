// Proofs know of floating-point operations that equal operands give equal results, and what literals give.
public class Program {
    @GuardedBy("this")
    private double value = 1.5 * 2;

    public synchronized void same(double other) {
        double before = value * other;
        assert value * other == before || before != before;
        value = before;
        assert (int) (1.5 * 2) == 3;
    }

    public synchronized void unknown(double other) {
        assert other + 1 > 0;
    }

    /*@ requires \flt(other, \float64("2.5"));
        ensures \result == other; */
    public synchronized double kept(double other) {
        assert other < 2.5;
        return other;
    }
}

@interface GuardedBy {
    String value();
}
