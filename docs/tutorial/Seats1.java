/** The seats of a bus, which are sold at several counters at once. */
class Seats {
    private final int capacity;
    private int sold;

    public Seats(int capacity) {
        this.capacity = capacity;
    }

    /** Sells so many seats, or none if there are not enough. */
    public boolean sell(int count) {
        if (sold + count > capacity) {
            return false;
        }
        sold = sold + count;
        return true;
    }

    public int free() {
        return capacity - sold;
    }
}
