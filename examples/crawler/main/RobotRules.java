/** Which pages a host does not want to be visited: every host has a few ranges of them. */
final class RobotRules {
    private static final int MAX_DISTANCE = 300;
    private static final long MAX_WIDTH = 20;

    private RobotRules() {
    }

    //@ modifies;
    static boolean allow(int page) {
        return !isInside(page, rangesOf(Page.hostOf(page)));
    }

    /** The first page of a range, the page after its last one, and so on. */
    private static long[] rangesOf(int host) {
        long[] ranges = Longs.NONE;
        long state = Fingerprint.mix(host);
        long begin = 0;
        for (int range = 0; range < Options.ROBOT_RANGES; range++) {
            state = Fingerprint.mix(state);
            begin += 2 + Fingerprint.remainder(state, MAX_DISTANCE);
            state = Fingerprint.mix(state);
            long end = begin + 1 + Fingerprint.remainder(state, MAX_WIDTH);
            ranges = Longs.append(ranges, begin);
            ranges = Longs.append(ranges, end);
            begin = end;
        }
        return ranges;
    }

    /** The page is inside if an odd number of limits is not above it. */
    private static boolean isInside(int page, long[] ranges) {
        boolean inside = false;
        for (long limit : ranges) {
            if (limit > page) {
                return inside;
            }
            inside = !inside;
        }
        return inside;
    }
}
