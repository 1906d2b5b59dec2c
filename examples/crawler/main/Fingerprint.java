/** Fingerprints of URLs and of the text of pages. */
final class Fingerprint {
    private static final long MODULUS = 1_000_003;
    private static final long MULTIPLIER = 40_503;

    private Fingerprint() {
    }

    /** A fingerprint that differs from its argument in most digits. */
    static long mix(long value) {
        long reduced = remainder(value, MODULUS);
        return (reduced * MULTIPLIER + 12_345) % MODULUS;
    }

    static long combine(long left, long right) {
        return mix(left * 31 + right);
    }

    static long ofUrl(int page) {
        return mix(page);
    }

    static long ofText(long[] tokens) {
        long fingerprint = 7;
        for (long token : tokens) {
            fingerprint = combine(fingerprint, token);
        }
        return fingerprint;
    }

    /** Where the fingerprint belongs, of this many buckets. */
    static int bucket(long fingerprint, int buckets) {
        return (int) remainder(fingerprint, buckets);
    }

    /** The remainder that is not negative. */
    static long remainder(long value, long modulus) {
        long remainder = value % modulus;
        return remainder < 0 ? remainder + modulus : remainder;
    }
}
