/** Starts a crawl, waits for its end and looks at the result. */
public final class Crawler {
    private Crawler() {
    }

    public static void main(String[] args) throws InterruptedException {
        seed(Options.FIRST_PAGE);
        Checkpointer checkpointer = new Checkpointer();
        checkpointer.start();
        Worker last = null;
        for (int i = 0; i < Options.WORKERS; i++) {
            last = new Worker(last);
            last.start();
        }
        for (Worker worker = last; worker != null; worker = worker.previous()) {
            worker.join();
        }
        checkpointer.join();
        check(Crawl.SNAPSHOTS.last());
        check(new Report(Crawl.STATISTICS));
    }

    private static void seed(int page) {
        if (!Crawl.STATISTICS.admitUrl()) {
            throw new IllegalStateException("no room for the first page");
        }
        Crawl.FRONTIER.add(page);
    }

    private static void check(Snapshot last) {
        if (last == null) {
            throw new IllegalStateException("no snapshot");
        }
        if (last.waiting().length != 0 || last.texts().length != Crawl.CONTENTS.size()) {
            throw new IllegalStateException("the last snapshot is too old");
        }
        if (last.visits() != Crawl.STATISTICS.fetched() + Crawl.STATISTICS.failed()) {
            throw new IllegalStateException("visits were lost");
        }
        if (!new Recovery(last).isComplete()) {
            throw new IllegalStateException("the crawl cannot be taken up again");
        }
    }

    private static void check(Report report) {
        if (!report.isConsistent() || report.successRate() == 0 || report.duplicateRate() > 100) {
            throw new IllegalStateException("the numbers do not add up");
        }
    }
}
