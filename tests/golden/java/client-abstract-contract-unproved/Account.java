// Clients call by the contract of the type that they know the object by.
public abstract class Account {
    @GuardedBy("this") protected int balance;
    //@ global_invariant balance >= 0;

    //@ requires amount > 0 && amount < 100;
    //@ modifies holder, balance;
    //@ ensures \result >= 0;
    public abstract int take(int amount);

    public static class Strict extends Account {
        //@ requires x > 0;
        public synchronized int take(int x) {
            assert x > 0;
            if (x > balance) {
                throw new IllegalStateException();
            }
            balance -= x;
            return -x;
        }
    }
}
@interface GuardedBy { String value(); }
