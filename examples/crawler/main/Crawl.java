/**
 * The state of the crawl.
 *
 * A worker has L1 for reading while it uses the tables, and may then use L2: for reading or writing for the host table, and its
 * monitor for the in-memory part of the URL table. The checkpointer has L1 for writing, so that no worker uses any table.
 */
final class Crawl {
    static final ReadersWriterLock L1 = new ReadersWriterLock();
    static final ReadersWriterLock L2 = new ReadersWriterLock();

    static final UrlTable URLS = new UrlTable(Options.FIRST_PAGE);
    static final HostTable HOSTS = new HostTable();
    static final ContentTable CONTENTS = new ContentTable();
    static final Frontier FRONTIER = new Frontier();
    static final Statistics STATISTICS = new Statistics();
    static final SnapshotStore SNAPSHOTS = new SnapshotStore();

    //@ global_invariant L1 != L2 && CONTENTS.seen != SNAPSHOTS.last && CONTENTS.seen.value != null;

    private Crawl() {
    }
}
