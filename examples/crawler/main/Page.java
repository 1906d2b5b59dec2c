/** The text of a page, as tokens. The web is simulated: what is on a page follows from its number. */
final class Page {
    static final long WORD = -1;
    static final long LINK = -2;
    static final long END_OF_LINK = -3;
    static final long COMMENT = -4;
    static final long END_OF_COMMENT = -5;

    private static final int MIRROR_DISTANCE = 500;

    private final int number;
    private final long[] tokens;

    private Page(int number, long[] tokens) {
        this.number = number;
        this.tokens = tokens;
    }

    int number() {
        return number;
    }

    long[] tokens() {
        return tokens;
    }

    /** Fetches a page; null if its host does not answer. */
    /*@ modifies;
        ensures \result == null || \result.tokens != null; */
    static Page fetch(int number, long attempt) {
        if (number < 0 || number >= Options.PAGES) {
            return null;
        }
        long luck = Fingerprint.combine(number, attempt);
        if (luck % 29 == 0) {
            return null;
        }
        return new Page(number, write(original(number)));
    }

    /** The number of the host that has the page. */
    static int hostOf(int number) {
        return (int) Fingerprint.remainder(number, Options.HOSTS);
    }

    /** Some pages have the text of another page. */
    private static int original(int number) {
        return number % 7 == 0 && number >= MIRROR_DISTANCE ? number - MIRROR_DISTANCE : number;
    }

    /** Words, links, and now and then a comment with a link that does not count. */
    private static long[] write(int number) {
        long[] text = Longs.NONE;
        long state = Fingerprint.mix(number);
        while (text.length < Options.PAGE_LENGTH) {
            state = Fingerprint.mix(state + 1);
            long target = Fingerprint.remainder(state, Options.PAGES);
            switch ((int) (state % 5)) {
                case 0:
                    text = writeLink(text, target);
                    break;
                case 1:
                    text = Longs.append(text, COMMENT);
                    text = writeLink(text, target);
                    text = Longs.append(text, END_OF_COMMENT);
                    break;
                default:
                    text = Longs.append(text, WORD);
                    break;
            }
        }
        return text;
    }

    private static long[] writeLink(long[] text, long target) {
        long[] opened = Longs.append(text, LINK);
        long[] aimed = Longs.append(opened, target);
        return Longs.append(aimed, END_OF_LINK);
    }
}
