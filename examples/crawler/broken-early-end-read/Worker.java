/** Fetches pages and follows their links until the crawl is over. */
final class Worker extends Thread {
    private final Worker previous;

    /** @param previous the worker that was made before; null for the first one */
    Worker(Worker previous) {
        this.previous = previous;
    }

    Worker previous() {
        return previous;
    }

    /*@ requires Crawl.L1.holder != tid && Crawl.L1.writer != tid && !(tid in Crawl.L1.readers)
              && Crawl.L2.holder != tid && Crawl.L2.writer != tid && !(tid in Crawl.L2.readers); */
    @Override
    public void run() {
        int number = Crawl.FRONTIER.take();
        while (number != Frontier.NOTHING) {
            crawl(number);
            number = Crawl.FRONTIER.take();
        }
    }

    private void crawl(int number) {
        int host = Page.hostOf(number);
        int now = Crawl.STATISTICS.tick();
        switch (RobotRules.allow(number) ? ask(host, now) : HostTable.Advice.NEVER) {
            case VISIT:
                visit(number, host, now);
                Crawl.FRONTIER.done();
                break;
            case LATER:
                Crawl.STATISTICS.countPostponed();
                Crawl.FRONTIER.putBack(number);
                break;
            default:
                Crawl.STATISTICS.countGivenUp();
                Crawl.FRONTIER.done();
                break;
        }
    }

    /** Whether a host is to be visited now. */
    private HostTable.Advice ask(int host, int now) {
        Crawl.L1.beginRead();
        try {
            Crawl.L2.beginRead();
            try {
                return Crawl.HOSTS.advise(host, now);
            } finally {
                Crawl.L2.endRead();
            }
        } finally {
            Crawl.L1.endRead();
        }
    }

    private void visit(int number, int host, int now) {
        Page page = Page.fetch(number, now);
        long[] links = Longs.NONE;
        if (page == null) {
            Crawl.STATISTICS.countFailed();
        } else {
            Crawl.STATISTICS.countFetched();
            if (Crawl.CONTENTS.addIfAbsent(Fingerprint.ofText(page.tokens()))) {
                links = LinkExtractor.linksOf(page);
            } else {
                Crawl.STATISTICS.countDuplicate();
            }
        }
        follow(record(host, now, page != null, links));
    }

    /** Enters a visit into the tables; returns the links that were not known. */
    private long[] record(int host, int now, boolean succeeded, long[] links) {
        long[] fresh = Longs.NONE;
        Crawl.L1.beginRead();
        try {
            recordVisit(host, now, succeeded);
        } finally {
            Crawl.L1.endRead();
        }
        for (long link : links) {
            if (Crawl.URLS.addIfAbsent(Fingerprint.ofUrl((int) link))) {
                fresh = Longs.append(fresh, link);
            }
        }
        return fresh;
    }

    private void recordVisit(int host, int now, boolean succeeded) {
        Crawl.L2.beginWrite();
        try {
            Crawl.HOSTS.recordVisit(host, now, succeeded);
        } finally {
            Crawl.L2.endWrite();
        }
    }

    /** Hands the links on, as far as the crawl has room for them. */
    private void follow(long[] links) {
        int dropped = 0;
        for (long link : links) {
            if (Crawl.STATISTICS.admitUrl()) {
                Crawl.FRONTIER.add((int) link);
            } else {
                dropped++;
            }
        }
        Crawl.STATISTICS.countLinks(links.length, dropped);
    }
}
