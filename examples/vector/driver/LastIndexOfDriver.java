/** One thread looks for an element from the end, another empties the vector. */
public class LastIndexOfDriver {
    static class Finder extends Thread {
        private final SyncVector vector;
        private final Object element;

        Finder(SyncVector vector, Object element) {
            this.vector = vector;
            this.element = element;
        }

        @Override
        public void run() {
            int index = vector.lastIndexOf(element);
            assert index == 0 || index == -1;
        }
    }

    static class Emptier extends Thread {
        private final SyncVector vector;

        Emptier(SyncVector vector) {
            this.vector = vector;
        }

        @Override
        public void run() {
            vector.removeAllElements();
            vector.trimToSize();
        }
    }

    public static void main(String[] args) {
        SyncVector vector = new SyncVector(1);
        Object element = new Object();
        vector.addElement(element);
        new Finder(vector, element).start();
        new Emptier(vector).start();
    }
}
