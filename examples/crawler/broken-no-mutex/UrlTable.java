/**
 * The fingerprints of the URLs that have been seen. New ones are in memory, in buckets; the checkpointer moves them to the
 * sorted part, which stands for a file.
 *
 * Arrays of fingerprints never change once they are in the table: a bucket is replaced by a longer one.
 */
final class UrlTable {
    /*@ unwritable_by_env_if (tid instanceof Checkpointer && Crawl.L1.writer == tid)
                          || (tid instanceof Worker && tid in Crawl.L1.readers && Crawl.L2.holder == tid); */
    /*@ elems_unwritable_by_env_if[i] (tid instanceof Checkpointer && Crawl.L1.writer == tid)
                                   || (tid instanceof Worker && tid in Crawl.L1.readers && Crawl.L2.holder == tid); */
    private long[][] tbl = new long[Options.INITIAL_BUCKETS][];

    /*@ unwritable_by_env_if (tid instanceof Checkpointer && Crawl.L1.writer == tid)
                          || (tid instanceof Worker && tid in Crawl.L1.readers); */
    //@ elems_unwritable_by_env_if[i] true;
    private long[] file;

    //@ global_invariant tbl != null && tbl.length > 0 && file != null;

    UrlTable(int firstPage) {
        file = new long[] {Fingerprint.ofUrl(firstPage)};
    }

    /** Adds a fingerprint; false if it was there. */
    boolean addIfAbsent(long fingerprint) {
        if (Longs.containsSorted(file, fingerprint)) {
            return false;
        }
        return addToBucket(fingerprint);
    }

    private boolean addToBucket(long fingerprint) {
        int bucket = Fingerprint.bucket(fingerprint, tbl.length);
        long[] present = tbl[bucket];
        if (present == null) {
            present = Longs.NONE;
        }
        if (Longs.contains(present, fingerprint)) {
            return false;
        }
        tbl[bucket] = Longs.append(present, fingerprint);
        return true;
    }

    /** Moves all fingerprints to the file, and returns what the file has then. */
    /*@ requires tid instanceof Checkpointer && Crawl.L1.writer == tid; */
    long[] moveToFile() {
        long[] fresh = collect();
        Longs.sort(fresh);
        checkSorted(fresh);
        long[] merged = Longs.union(file, fresh);
        checkSorted(merged);
        checkContained(fresh, merged);
        checkContained(file, merged);
        file = merged;
        if (isCrowded(fresh.length) && tbl.length <= Options.MAX_BUCKETS / 2) {
            enlarge();
        } else {
            empty();
        }
        return merged;
    }

    /** The fingerprints in memory, in an array that nobody else has. */
    private long[] collect() {
        long[] all = new long[0];
        for (long[] bucket : tbl) {
            if (bucket != null) {
                all = Longs.concat(all, bucket);
            }
        }
        return all;
    }

    private boolean isCrowded(int inMemory) {
        return inMemory / tbl.length > Options.BUCKET_LOAD;
    }

    /** Doubles the number of buckets, all of them empty. */
    private void enlarge() {
        tbl = new long[tbl.length * 2][];
    }

    private void empty() {
        tbl = new long[tbl.length][];
    }

    private static void checkSorted(long[] fingerprints) {
        if (!Longs.isSorted(fingerprints)) {
            throw new IllegalStateException("the file is not sorted");
        }
    }

    private static void checkContained(long[] fingerprints, long[] sorted) {
        for (long fingerprint : fingerprints) {
            if (!Longs.containsSorted(sorted, fingerprint)) {
                throw new IllegalStateException("a fingerprint was lost");
            }
        }
    }
}
