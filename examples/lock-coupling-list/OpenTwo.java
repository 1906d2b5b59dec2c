/** Two numbers that stand side by side are removed at the same time. */
public class OpenTwo {
    public static void main(String[] args) {
        LockCouplingList list = new LockCouplingList();
        list.open();
        list.add(1);
        list.add(2);
        new Remover(list, 1).start();
        new Remover(list, 2).start();
    }
}
