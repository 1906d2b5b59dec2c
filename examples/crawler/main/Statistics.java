import java.util.concurrent.atomic.AtomicInteger;

/** Counters of all threads, for the report at the end. They need not fit together before the threads are done. */
final class Statistics {
    private final AtomicInteger clock = new AtomicInteger();
    private final AtomicInteger urls = new AtomicInteger();
    private final AtomicInteger fetched = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger postponed = new AtomicInteger();
    private final AtomicInteger givenUp = new AtomicInteger();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicInteger linksSeen = new AtomicInteger();
    private final AtomicInteger linksDropped = new AtomicInteger();

    /** The time, in ticks; every look at it is one. */
    int tick() {
        return clock.incrementAndGet();
    }

    int now() {
        return clock.get();
    }

    /** Counts a URL that is new; false if the crawl has enough of them. */
    boolean admitUrl() {
        for (;;) {
            int admitted = urls.get();
            if (admitted >= Options.MAX_URLS) {
                return false;
            }
            if (urls.compareAndSet(admitted, admitted + 1)) {
                return true;
            }
        }
    }

    void countFetched() {
        fetched.incrementAndGet();
    }

    void countFailed() {
        failed.incrementAndGet();
    }

    void countPostponed() {
        postponed.incrementAndGet();
    }

    void countGivenUp() {
        givenUp.incrementAndGet();
    }

    void countDuplicate() {
        duplicates.incrementAndGet();
    }

    void countLinks(int seen, int dropped) {
        linksSeen.addAndGet(seen);
        linksDropped.addAndGet(dropped);
    }

    int fetched() {
        return fetched.get();
    }

    int failed() {
        return failed.get();
    }

    int postponed() {
        return postponed.get();
    }

    int givenUp() {
        return givenUp.get();
    }

    int duplicates() {
        return duplicates.get();
    }

    int linksSeen() {
        return linksSeen.get();
    }

    int linksDropped() {
        return linksDropped.get();
    }
}
