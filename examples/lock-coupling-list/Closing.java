/** Waits until a thread that adds and one that removes are done, and closes the list. */
public class Closing {
    public static void main(String[] args) throws InterruptedException {
        LockCouplingList list = new LockCouplingList();
        list.add(1);
        Adder adder = new Adder(list, 2);
        Remover remover = new Remover(list, 1);
        adder.start();
        remover.start();
        adder.join();
        remover.join();
        boolean isThere = list.contains(2);
        assert isThere;
        isThere = list.contains(1);
        assert !isThere;
        list.close();
    }
}
