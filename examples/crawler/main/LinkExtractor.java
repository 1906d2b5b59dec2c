/** Finds the links of a page. */
final class LinkExtractor {
    private enum State { TEXT, TARGET, AFTER_TARGET, COMMENT }

    private State state = State.TEXT;
    private long target;
    private long[] links = Longs.NONE;

    /** The pages that a page refers to, each once, without itself. */
    /*@ requires page != null && page.tokens != null;
        modifies;
        ensures \result != null; */
    static long[] linksOf(Page page) {
        LinkExtractor extractor = new LinkExtractor();
        for (long token : page.tokens()) {
            extractor.read(token);
        }
        return extractor.linksWithout(page.number());
    }

    private void read(long token) {
        switch (state) {
            case TEXT:
                readText(token);
                break;
            case TARGET:
                readTarget(token);
                break;
            case AFTER_TARGET:
                readAfterTarget(token);
                break;
            case COMMENT:
                if (token == Page.END_OF_COMMENT) {
                    state = State.TEXT;
                }
                break;
            default:
                throw new IllegalStateException("no such state");
        }
    }

    private void readText(long token) {
        if (token == Page.LINK) {
            state = State.TARGET;
        } else if (token == Page.COMMENT) {
            state = State.COMMENT;
        }
    }

    /** A link without a target is no link. */
    private void readTarget(long token) {
        if (token < 0) {
            state = State.TEXT;
            readText(token);
        } else {
            target = token;
            state = State.AFTER_TARGET;
        }
    }

    private void readAfterTarget(long token) {
        if (token == Page.END_OF_LINK) {
            if (target < Options.PAGES && !Longs.contains(links, target)) {
                links = Longs.append(links, target);
            }
            state = State.TEXT;
        } else if (token == Page.LINK) {
            state = State.TARGET;
        }
    }

    private long[] linksWithout(int number) {
        long[] result = Longs.NONE;
        for (long link : links) {
            if (link != number) {
                result = Longs.append(result, link);
            }
        }
        return result;
    }
}
