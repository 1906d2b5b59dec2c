import java.util.concurrent.atomic.AtomicReference;

/** The last sound snapshot; the one from which a crawl would be taken up again. */
final class SnapshotStore {
    private final AtomicReference<Snapshot> last = new AtomicReference<>();

    /** Stores a snapshot if it is sound and follows the last one. */
    boolean store(Snapshot snapshot) {
        if (!snapshot.isSound()) {
            return false;
        }
        Snapshot earlier = last.get();
        if (earlier != null && !snapshot.follows(earlier)) {
            return false;
        }
        return last.compareAndSet(earlier, snapshot);
    }

    /** The last snapshot; null if there is none yet. */
    Snapshot last() {
        return last.get();
    }

    int nextNumber() {
        Snapshot earlier = last.get();
        return earlier == null ? 1 : earlier.number() + 1;
    }
}
