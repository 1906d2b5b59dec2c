import concord.Concord;

/** Any number of threads that add any numbers. */
public class Adders {
    public static void main(String[] args) {
        LockCouplingList list = new LockCouplingList();
        for (;;) {
            new Adder(list, Concord.anyInt()).start();
        }
    }
}
