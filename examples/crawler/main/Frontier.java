import java.util.concurrent.atomic.AtomicInteger;

/**
 * The pages still to be fetched, first come, first served. It knows how many workers have a page in hand, and so when the crawl is
 * over: nothing is waiting and nobody can add anything.
 */
final class Frontier {
    /** Returned when there is nothing left to fetch. */
    static final int NOTHING = -1;

    /** A page that waits, and the one behind it. */
    private static final class Entry {
        final int page;

        @GuardedBy("Crawl.FRONTIER")
        Entry next;

        Entry(int page) {
            this.page = page;
        }
    }

    @GuardedBy("this")
    private Entry first;

    @GuardedBy("this")
    private Entry last;

    /** Pages that workers have in hand. */
    @GuardedBy("this")
    private int inHand;

    /** Pages that workers are done with. */
    private final AtomicInteger finished = new AtomicInteger();

    /** Adds a page at the end. */
    synchronized void add(int page) {
        Entry added = new Entry(page);
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
        notifyAll();
    }

    /** Waits for a page to fetch. Whoever gets one calls done when it is dealt with. */
    synchronized int take() {
        while (first == null && inHand > 0) {
            awaitChange();
        }
        if (first == null) {
            return NOTHING;
        }
        int page = first.page;
        first = first.next;
        if (first == null) {
            last = null;
        }
        inHand++;
        return page;
    }

    /** Puts a page that was taken back at the end. */
    synchronized void putBack(int page) {
        inHand--;
        add(page);
    }

    synchronized void done() {
        inHand--;
        finished.incrementAndGet();
        notifyAll();
    }

    synchronized boolean isOver() {
        return first == null && inHand == 0;
    }

    /** Waits until this many pages are finished, or the crawl is over; returns how many are finished. */
    synchronized int awaitFinished(int wanted) {
        while (finished.get() < wanted && !isOver()) {
            awaitChange();
        }
        return finished.get();
    }

    /** The pages that are waiting, first the next one. */
    synchronized long[] contents() {
        long[] result = Longs.NONE;
        Entry entry = first;
        while (entry != null) {
            result = Longs.append(result, entry.page);
            entry = entry.next;
        }
        return result;
    }

    private void awaitChange() {
        try {
            wait();
        } catch (InterruptedException e) {
            return;
        }
    }
}
