/** Takes a snapshot of the crawl now and then. Meanwhile no worker uses the tables. */
final class Checkpointer extends Thread {
    /*@ requires Crawl.L1.holder != tid && Crawl.L1.writer != tid && !(tid in Crawl.L1.readers); */
    @Override
    public void run() {
        int finished = 0;
        boolean over = false;
        while (!over) {
            finished = Crawl.FRONTIER.awaitFinished(nextStop(finished));
            over = Crawl.FRONTIER.isOver();
            checkpoint();
        }
    }

    private static int nextStop(int finished) {
        return finished > Integer.MAX_VALUE - Options.PAGES_PER_CHECKPOINT
            ? Integer.MAX_VALUE
            : finished + Options.PAGES_PER_CHECKPOINT;
    }

    private void checkpoint() {
        Snapshot snapshot;
        Crawl.L1.beginWrite();
        try {
            snapshot = takeSnapshot();
        } finally {
            Crawl.L1.endWrite();
        }
        if (!Crawl.SNAPSHOTS.store(snapshot)) {
            throw new IllegalStateException("the snapshot is not sound");
        }
    }

    private Snapshot takeSnapshot() {
        long[] urls = Crawl.URLS.moveToFile();
        long[] hosts = Crawl.HOSTS.contents();
        long[] texts = Crawl.CONTENTS.contents();
        long[] waiting = Crawl.FRONTIER.contents();
        return new Snapshot(Crawl.SNAPSHOTS.nextNumber(), Crawl.STATISTICS.now(), urls, hosts, texts, waiting);
    }
}
