/** The state of the crawl at one moment, as it would be written to disk. Nothing in it changes. */
final class Snapshot {
    private final int number;
    private final long time;
    private final long[] urls;
    private final long[] hosts;
    private final long[] texts;
    private final long[] waiting;
    private final long checksum;

    //@ invariant urls != null && hosts != null && texts != null && waiting != null;

    Snapshot(int number, long time, long[] urls, long[] hosts, long[] texts, long[] waiting) {
        this.number = number;
        this.time = time;
        this.urls = urls;
        this.hosts = hosts;
        this.texts = texts;
        this.waiting = waiting;
        this.checksum = checksumOf(number, time, urls, hosts, texts, waiting);
    }

    int number() {
        return number;
    }

    long time() {
        return time;
    }

    long[] urls() {
        return urls;
    }

    long[] waiting() {
        return waiting;
    }

    long[] texts() {
        return texts;
    }

    long visits() {
        return HostTable.visitsIn(hosts);
    }

    long failures() {
        return HostTable.failuresIn(hosts);
    }

    /** Whether it can be used to recover. */
    boolean isSound() {
        if (!Longs.isSorted(urls)) {
            return false;
        }
        if (hasNegative(hosts) || failures() > visits()) {
            return false;
        }
        if (!allSeen(waiting)) {
            return false;
        }
        return checksum == checksumOf(number, time, urls, hosts, texts, waiting);
    }

    /** Whether it may be the next one after another: nothing was forgotten. */
    boolean follows(Snapshot earlier) {
        if (number != earlier.number + 1 || time < earlier.time) {
            return false;
        }
        for (long url : earlier.urls) {
            if (!Longs.containsSorted(urls, url)) {
                return false;
            }
        }
        return visits() >= earlier.visits() && texts.length >= earlier.texts.length;
    }

    private boolean allSeen(long[] pages) {
        for (long page : pages) {
            if (!Longs.containsSorted(urls, Fingerprint.ofUrl((int) page))) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasNegative(long[] numbers) {
        for (long value : numbers) {
            if (value < 0) {
                return true;
            }
        }
        return false;
    }

    private static long checksumOf(int number, long time, long[] urls, long[] hosts, long[] texts, long[] waiting) {
        long checksum = Fingerprint.combine(number, time);
        checksum = add(checksum, urls);
        checksum = add(checksum, hosts);
        checksum = add(checksum, texts);
        return add(checksum, waiting);
    }

    private static long add(long checksum, long[] numbers) {
        long result = Fingerprint.combine(checksum, numbers.length);
        for (long value : numbers) {
            result = Fingerprint.combine(result, value);
        }
        return result;
    }
}
