/** What a crawl amounted to, for whoever started it. */
final class Report {
    private final int fetched;
    private final int failed;
    private final int duplicates;
    private final int postponed;
    private final int givenUp;
    private final int linksSeen;
    private final int linksDropped;

    Report(Statistics statistics) {
        fetched = statistics.fetched();
        failed = statistics.failed();
        duplicates = statistics.duplicates();
        postponed = statistics.postponed();
        givenUp = statistics.givenUp();
        linksSeen = statistics.linksSeen();
        linksDropped = statistics.linksDropped();
    }

    int visits() {
        return fetched + failed;
    }

    int linksFollowed() {
        return linksSeen - linksDropped;
    }

    /** In percent. */
    int successRate() {
        return percentage(fetched, fetched + failed);
    }

    int duplicateRate() {
        return percentage(duplicates, fetched);
    }

    /** How often a page had to wait for its host, for each hundred that did not. */
    int postponementRate() {
        return percentage(postponed, fetched + failed);
    }

    /** Every link that was followed was visited once, or given up; the first page was not a link. */
    boolean isConsistent() {
        return visits() + givenUp == linksFollowed() + 1 && duplicates <= fetched;
    }

    private static int percentage(int part, int whole) {
        if (whole <= 0) {
            return 0;
        }
        return (int) (100L * part / whole);
    }
}
