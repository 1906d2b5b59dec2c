/** What can be chosen about a crawl. */
final class Options {
    /** How many threads fetch pages. */
    static final int WORKERS = 3;

    /** A crawl ends when this many URLs have been seen. */
    static final int MAX_URLS = 400;

    /** The size of the web, which is simulated. */
    static final int PAGES = 1000;

    /** Pages have at least this many tokens. */
    static final int PAGE_LENGTH = 60;

    /** Where the crawl begins. */
    static final int FIRST_PAGE = 1;

    /** How many sites the pages are on. */
    static final int HOSTS = 16;

    /** Buckets of the in-memory URL table at the start. */
    static final int INITIAL_BUCKETS = 8;

    /** The in-memory table gets more buckets when they have more fingerprints than this on average. */
    static final int BUCKET_LOAD = 4;

    /** No more buckets than this. */
    static final int MAX_BUCKETS = 1024;

    /** The checkpointer works each time this many pages have been fetched. */
    static final int PAGES_PER_CHECKPOINT = 50;

    /** A host is left alone for this many ticks after a visit. */
    static final int HOST_DELAY = 2;

    /** A host that failed this often is not visited any more. */
    static final int MAX_FAILURES = 40;

    /** How many ranges of pages each host does not want to be visited. */
    static final int ROBOT_RANGES = 3;

    private Options() {
    }
}
