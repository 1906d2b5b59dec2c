import concord.Concord;

/** Any number of threads that add, remove and look for any numbers. */
public class OpenAny {
    public static void main(String[] args) {
        LockCouplingList list = new LockCouplingList();
        list.open();
        for (;;) {
            new Adder(list, Concord.anyInt()).start();
            new Remover(list, Concord.anyInt()).start();
            new Finder(list, Concord.anyInt()).start();
        }
    }
}
