/** Puts together, from a snapshot, what a crawl needs to be taken up again. */
final class Recovery {
    private final Snapshot snapshot;

    Recovery(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** Whether a crawl that begins with the snapshot would know everything that the old one knew. */
    boolean isComplete() {
        if (!snapshot.isSound()) {
            return false;
        }
        long[][] buckets = buckets();
        return hasAll(buckets, snapshot.urls()) && countOf(buckets) == snapshot.urls().length && hasPages(buckets, snapshot.waiting());
    }

    /** The URLs of the snapshot, in buckets. */
    private long[][] buckets() {
        long[][] buckets = new long[bucketCount()][];
        for (long url : snapshot.urls()) {
            int bucket = Fingerprint.bucket(url, buckets.length);
            long[] present = buckets[bucket];
            buckets[bucket] = Longs.append(present == null ? Longs.NONE : present, url);
        }
        return buckets;
    }

    private int bucketCount() {
        int count = Options.INITIAL_BUCKETS;
        while (count <= Options.MAX_BUCKETS / 2 && snapshot.urls().length > count * Options.BUCKET_LOAD) {
            count *= 2;
        }
        return count > 0 ? count : Options.INITIAL_BUCKETS;
    }

    private static boolean hasAll(long[][] buckets, long[] urls) {
        for (long url : urls) {
            if (!has(buckets, url)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasPages(long[][] buckets, long[] pages) {
        for (long page : pages) {
            if (!has(buckets, Fingerprint.ofUrl((int) page))) {
                return false;
            }
        }
        return true;
    }

    private static boolean has(long[][] buckets, long url) {
        long[] bucket = buckets[Fingerprint.bucket(url, buckets.length)];
        return bucket != null && Longs.contains(bucket, url);
    }

    private static int countOf(long[][] buckets) {
        int count = 0;
        for (long[] bucket : buckets) {
            if (bucket != null) {
                count += bucket.length;
            }
        }
        return count;
    }
}
