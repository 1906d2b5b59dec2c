/** A jar of coins. Whoever wants some may have to wait until somebody puts some in. */
public class Jar {
    private static final int ROOM = 1000;

    //@ guarded_by this;
    private int coins;

    //@ ghost int put = 0;
    //@ ghost int taken = 0;
    //@ invariant coins == put - taken && 0 <= coins && coins <= ROOM;

    //@ env_assumption holder == tid ==> put == \old(put) && taken == \old(taken);
    //@ monotonic put;
    //@ monotonic taken;

    /** Puts so many in, or none if there is no room for them. */
    //@ requires count > 0;
    public synchronized boolean put(int count) {
        if (count > ROOM - coins) {
            return false;
        }
        coins = coins + count; //@ set put = put + count;
        notifyAll();
        return true;
    }

    /** Takes so many out, as soon as there are as many. */
    //@ requires holder != tid && 0 < count && count <= ROOM;
    public synchronized void take(int count) throws InterruptedException {
        while (coins < count) {
            wait();
        }
        coins = coins - count; //@ set taken = taken + count;
    }
}
