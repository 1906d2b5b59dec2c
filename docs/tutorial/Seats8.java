/** The seats of a bus, which are sold at several counters at once. */
class Seats {
    private final int capacity;
    //@ guarded_by this;
    private int sold;

    //@ invariant 0 <= sold && sold <= capacity;

    //@ requires capacity >= 0;
    public Seats(int capacity) {
        this.capacity = capacity;
    }

    /** Sells so many seats, or none if there are not enough. */
    //@ requires count > 0;
    public synchronized boolean sell(int count) {
        if (count > capacity - sold) {
            return false;
        }
        sold = sold + count;
        return true;
    }

    public synchronized int free() {
        return capacity - sold;
    }

    /** Whether more seats are free here than there, each number at its own moment. */
    //@ requires other != null;
    public boolean hasMoreThan(Seats other) {
        int here = free();
        int there = other.free();
        return here > there;
    }
}
