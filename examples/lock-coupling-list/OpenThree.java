/** A number is added, removed and looked for at the same time. */
public class OpenThree {
    public static void main(String[] args) {
        LockCouplingList list = new LockCouplingList();
        list.open();
        list.add(2);
        new Adder(list, 1).start();
        new Remover(list, 2).start();
        new Finder(list, 2).start();
    }
}
