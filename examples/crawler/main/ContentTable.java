import java.util.concurrent.atomic.AtomicReference;

/** Fingerprints of the texts seen so far: the same text is often found under several URLs. */
final class ContentTable {
    /** What was seen at one moment; never changed. */
    private static final class Seen {
        final long[] texts;

        //@ invariant texts != null;

        Seen(long[] texts) {
            this.texts = texts;
        }
    }

    private final AtomicReference<Seen> seen = new AtomicReference<>(new Seen(Longs.NONE));

    /** Adds a fingerprint; false if it was there. */
    boolean addIfAbsent(long fingerprint) {
        for (;;) {
            Seen present = seen.get();
            if (Longs.contains(present.texts, fingerprint)) {
                return false;
            }
            if (seen.compareAndSet(present, new Seen(Longs.append(present.texts, fingerprint)))) {
                return true;
            }
        }
    }

    /** What was seen at one moment. */
    long[] contents() {
        return seen.get().texts;
    }

    int size() {
        return contents().length;
    }
}
