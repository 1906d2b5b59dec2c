/**
 * A growable array of references. Every method works under the monitor of the vector, so that the vector may be shared by any
 * number of threads.
 */
public class SyncVector {
    private static final int DEFAULT_CAPACITY = 10;

    @GuardedBy("this")
    private int elementCount;

    @GuardedBy("this")
    private Object[] elementData;

    /** By how much the capacity grows; 0: it is doubled. */
    private final int capacityIncrement;

    //@ global_invariant elementData != null;
    //@ global_invariant (\forall SyncVector v; v != this && elementData != null ==> v.elementData != elementData);
    //@ global_invariant 0 <= elementCount && elementCount <= elementData.length;

    public SyncVector(int initialCapacity, int capacityIncrement) {
        if (initialCapacity < 0) {
            throw new IllegalArgumentException("negative capacity");
        }
        this.elementData = new Object[initialCapacity];
        this.capacityIncrement = capacityIncrement;
    }

    public SyncVector(int initialCapacity) {
        this(initialCapacity, 0);
    }

    public SyncVector() {
        this(DEFAULT_CAPACITY);
    }

    // Size and capacity.

    public synchronized int size() {
        return elementCount;
    }

    public synchronized boolean isEmpty() {
        return elementCount == 0;
    }

    public synchronized int capacity() {
        return elementData.length;
    }

    /** Makes the capacity as small as the size allows. */
    public synchronized void trimToSize() {
        if (elementCount < elementData.length) {
            reallocate(elementCount);
        }
    }

    public synchronized void ensureCapacity(int minCapacity) {
        if (minCapacity > elementData.length) {
            grow(minCapacity);
        }
    }

    /** Adds null elements at the end, or drops elements there. */
    public synchronized void setSize(int newSize) {
        if (newSize < 0) {
            throw new IndexOutOfBoundsException("negative size");
        }
        if (newSize > elementData.length) {
            grow(newSize);
        }
        clearFrom(newSize);
        elementCount = newSize;
    }

    // Elements.

    public synchronized Object elementAt(int index) {
        checkIndex(index);
        return elementData[index];
    }

    public synchronized Object firstElement() {
        if (elementCount == 0) {
            throw new IllegalStateException("empty vector");
        }
        return elementData[0];
    }

    public synchronized Object lastElement() {
        if (elementCount == 0) {
            throw new IllegalStateException("empty vector");
        }
        return elementData[elementCount - 1];
    }

    public synchronized void setElementAt(Object element, int index) {
        checkIndex(index);
        elementData[index] = element;
    }

    /** Replaces an element and returns the former one. */
    public synchronized Object set(int index, Object element) {
        checkIndex(index);
        Object former = elementData[index];
        elementData[index] = element;
        return former;
    }

    public synchronized void swap(int index, int other) {
        checkIndex(index);
        checkIndex(other);
        Object element = elementData[index];
        elementData[index] = elementData[other];
        elementData[other] = element;
    }

    // Adding.

    public synchronized void addElement(Object element) {
        makeRoom(1);
        elementData[elementCount] = element;
        elementCount++;
    }

    public boolean add(Object element) {
        addElement(element);
        return true;
    }

    public synchronized void insertElementAt(Object element, int index) {
        if (index < 0 || index > elementCount) {
            throw new IndexOutOfBoundsException("no such place");
        }
        makeRoom(1);
        for (int i = elementCount; i > index; i--) {
            elementData[i] = elementData[i - 1];
        }
        elementData[index] = element;
        elementCount++;
    }

    /** Adds the elements that the other vector has at one moment; the two monitors are never held together. */
    public boolean addAll(SyncVector other) {
        if (other == null) {
            throw new NullPointerException("no vector");
        }
        return addAll(other.toArray());
    }

    private synchronized boolean addAll(Object[] elements) {
        makeRoom(elements.length);
        for (int i = 0; i < elements.length; i++) {
            elementData[elementCount + i] = elements[i];
        }
        elementCount += elements.length;
        return elements.length > 0;
    }

    // Removing.

    public synchronized void removeElementAt(int index) {
        checkIndex(index);
        closeGap(index);
    }

    /** Removes an element and returns it. */
    public synchronized Object remove(int index) {
        checkIndex(index);
        Object element = elementData[index];
        closeGap(index);
        return element;
    }

    /** Removes the first element that equals the argument, if there is one. */
    public synchronized boolean removeElement(Object element) {
        int index = firstIndexFrom(element, 0);
        if (index < 0) {
            return false;
        }
        closeGap(index);
        return true;
    }

    public synchronized void removeAllElements() {
        clearFrom(0);
        elementCount = 0;
    }

    /** Removes what the other vector contains at one moment. */
    public boolean removeAll(SyncVector other) {
        if (other == null) {
            throw new NullPointerException("no vector");
        }
        return removeAll(other.toArray());
    }

    private synchronized boolean removeAll(Object[] elements) {
        int kept = 0;
        //@ loop_invariant 0 <= kept && kept <= i && i <= elementCount;
        for (int i = 0; i < elementCount; i++) {
            Object element = elementData[i];
            if (!isIn(element, elements)) {
                elementData[kept] = element;
                kept++;
            }
        }
        boolean changed = kept < elementCount;
        clearFrom(kept);
        elementCount = kept;
        return changed;
    }

    // Searching.

    public boolean contains(Object element) {
        return indexOf(element) >= 0;
    }

    public synchronized int indexOf(Object element) {
        return firstIndexFrom(element, 0);
    }

    public synchronized int indexOf(Object element, int index) {
        if (index < 0) {
            throw new IndexOutOfBoundsException("negative index");
        }
        return firstIndexFrom(element, index);
    }

    public int lastIndexOf(Object element) {
        int last;
        synchronized (this) {
            last = elementCount - 1;
        }
        return lastIndexFrom(element, last);
    }

    public synchronized int lastIndexOf(Object element, int index) {
        if (index >= elementCount) {
            throw new IndexOutOfBoundsException("no such element");
        }
        return lastIndexFrom(element, index);
    }

    /** How many elements equal the argument. */
    public synchronized int count(Object element) {
        int found = 0;
        for (int i = 0; i < elementCount; i++) {
            if (same(element, elementData[i])) {
                found++;
            }
        }
        return found;
    }

    public boolean containsAll(SyncVector other) {
        if (other == null) {
            throw new NullPointerException("no vector");
        }
        return containsAll(other.toArray());
    }

    private synchronized boolean containsAll(Object[] elements) {
        for (int i = 0; i < elements.length; i++) {
            if (firstIndexFrom(elements[i], 0) < 0) {
                return false;
            }
        }
        return true;
    }

    // Copying.

    /** Copies the elements to the beginning of an array that must be long enough. */
    public synchronized void copyInto(Object[] target) {
        if (target == null) {
            throw new NullPointerException("no array");
        }
        if (target.length < elementCount) {
            throw new IndexOutOfBoundsException("the array is too short");
        }
        copyTo(target, elementCount);
    }

    /** The elements in a new array. */
    public synchronized Object[] toArray() {
        Object[] copy = new Object[elementCount];
        copyTo(copy, elementCount);
        return copy;
    }

    public synchronized void reverse() {
        int low = 0;
        int high = elementCount - 1;
        while (low < high) {
            Object element = elementData[low];
            elementData[low] = elementData[high];
            elementData[high] = element;
            low++;
            high--;
        }
    }

    // Enumerating.

    public Elements elements() {
        return new Elements();
    }

    /**
     * The elements one after the other. If the vector changes meanwhile an element may be left out or come twice. The position is
     * under the enumeration's own monitor, which is taken before the vector's.
     */
    public final class Elements {
        @GuardedBy("this")
        private int next;

        //@ global_invariant 0 <= next;

        public synchronized boolean hasMoreElements() {
            synchronized (SyncVector.this) {
                return next < elementCount;
            }
        }

        public synchronized Object nextElement() {
            synchronized (SyncVector.this) {
                if (next >= elementCount) {
                    throw new IllegalStateException("no more elements");
                }
                Object element = elementData[next];
                next++;
                return element;
            }
        }
    }

    // What follows is called with the monitor held.

    private void checkIndex(int index) {
        if (index < 0 || index >= elementCount) {
            throw new IndexOutOfBoundsException("no such element");
        }
    }

    private void makeRoom(int extra) {
        if (extra > Integer.MAX_VALUE - elementCount) {
            throw new OutOfMemoryError();
        }
        if (elementCount + extra > elementData.length) {
            grow(elementCount + extra);
        }
    }

    /** Grows by the increment or doubles, which may overflow, and at least to the capacity asked for. */
    private void grow(int minCapacity) {
        int oldCapacity = elementData.length;
        int newCapacity = capacityIncrement > 0 ? oldCapacity + capacityIncrement : oldCapacity * 2;
        if (newCapacity < minCapacity) {
            newCapacity = minCapacity;
        }
        reallocate(newCapacity);
    }

    private void reallocate(int capacity) {
        Object[] moved = new Object[capacity];
        copyTo(moved, elementCount);
        elementData = moved;
    }

    private void copyTo(Object[] target, int length) {
        for (int i = 0; i < length; i++) {
            target[i] = elementData[i];
        }
    }

    private void closeGap(int index) {
        int last = elementCount - 1;
        for (int i = index; i < last; i++) {
            elementData[i] = elementData[i + 1];
        }
        elementCount = last;
        elementData[last] = null;
    }

    private void clearFrom(int index) {
        for (int i = index; i < elementCount; i++) {
            elementData[i] = null;
        }
    }

    private synchronized int firstIndexFrom(Object element, int index) {
        for (int i = index; i < elementCount; i++) {
            if (same(element, elementData[i])) {
                return i;
            }
        }
        return -1;
    }

    private synchronized int lastIndexFrom(Object element, int index) {
        for (int i = index; i >= 0; i--) {
            if (same(element, elementData[i])) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isIn(Object element, Object[] elements) {
        for (int i = 0; i < elements.length; i++) {
            if (same(element, elements[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(Object left, Object right) {
        return left == right || (left != null && left.equals(right));
    }

    @interface GuardedBy {
        String value();
    }
}
