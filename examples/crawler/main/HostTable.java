/** What is known of each host: when it was visited last, how often, and how often in vain. */
final class HostTable {
    /** What to do with a page of a host. */
    enum Advice { VISIT, LATER, NEVER }

    private static final int LAST_VISIT = 0;
    private static final int VISITS = 1;
    private static final int FAILURES = 2;
    private static final int ENTRIES = 3;

    /*@ elems_unwritable_by_env_if[i] (tid instanceof Checkpointer && Crawl.L1.writer == tid)
                                   || (tid instanceof Worker && tid in Crawl.L1.readers && (Crawl.L2.writer == tid || tid in Crawl.L2.readers)); */
    private final int[] table = new int[Options.HOSTS * ENTRIES];

    /** Whether the host may be visited at this time. */
    Advice advise(int host, int now) {
        checkHost(host);
        int entry = host * ENTRIES;
        if (table[entry + FAILURES] >= Options.MAX_FAILURES) {
            return Advice.NEVER;
        }
        int visits = table[entry + VISITS];
        int last = table[entry + LAST_VISIT];
        return visits == 0 || now - last >= Options.HOST_DELAY ? Advice.VISIT : Advice.LATER;
    }

    void recordVisit(int host, int now, boolean succeeded) {
        checkHost(host);
        int entry = host * ENTRIES;
        table[entry + VISITS] = table[entry + VISITS] + 1;
        if (now > table[entry + LAST_VISIT]) {
            table[entry + LAST_VISIT] = now;
        }
        if (!succeeded) {
            table[entry + FAILURES] = table[entry + FAILURES] + 1;
        }
    }

    /** A copy of the whole table. */
    long[] contents() {
        long[] copy = new long[table.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = table[i];
        }
        return copy;
    }

    /** How many visits a copy of the table tells of. */
    static long visitsIn(long[] contents) {
        return total(contents, VISITS);
    }

    static long failuresIn(long[] contents) {
        return total(contents, FAILURES);
    }

    private static long total(long[] contents, int which) {
        long total = 0;
        int position = 0;
        for (long value : contents) {
            if (position % ENTRIES == which) {
                total += value;
            }
            position++;
        }
        return total;
    }

    private static void checkHost(int host) {
        if (host < 0 || host >= Options.HOSTS) {
            throw new IllegalArgumentException("no such host");
        }
    }
}
