/** One thread alone: what was added and not removed is there. */
public class Alone {
    public static void main(String[] args) {
        LockCouplingList list = new LockCouplingList();
        boolean done = list.add(2);
        assert done;
        done = list.add(2);
        assert !done;
        done = list.add(1);
        assert done;
        done = list.add(3);
        assert done;
        done = list.add(3);
        assert !done;
        boolean isThere = list.contains(1);
        assert isThere;
        isThere = list.contains(3);
        assert isThere;
        isThere = list.contains(0);
        assert !isThere;
        isThere = list.contains(4);
        assert !isThere;
        done = list.remove(2);
        assert done;
        done = list.remove(2);
        assert !done;
        done = list.remove(0);
        assert !done;
        isThere = list.contains(2);
        assert !isThere;
        isThere = list.contains(3);
        assert isThere;
        done = list.remove(3);
        assert done;
        done = list.add(0);
        assert done;
        isThere = list.contains(0);
        assert isThere;
        isThere = list.contains(1);
        assert isThere;
    }
}
