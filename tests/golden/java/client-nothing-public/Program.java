/** Nobody from outside the package may call anything: that is said, or `verified` would seem to say more. */
class Counter {
    private int count;

    void increment() {
        count++;
    }
}
