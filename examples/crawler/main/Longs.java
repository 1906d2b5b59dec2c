/** Arrays of numbers. The arrays are used by one thread, or nobody writes to them any more. */
final class Longs {
    static final long[] NONE = new long[0];

    private Longs() {
    }

    /** Copies the first elements of an array to a place in another one. */
    static void copy(long[] source, int count, long[] target, int at) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[i];
        }
    }

    /** The first elements in an array of their own. */
    static long[] prefix(long[] array, int count) {
        long[] result = new long[count];
        copy(array, count, result, 0);
        return result;
    }

    /** The elements of both, in this order. */
    static long[] concat(long[] first, long[] second) {
        if (second.length > Integer.MAX_VALUE - first.length) {
            throw new OutOfMemoryError();
        }
        long[] result = new long[first.length + second.length];
        copy(first, first.length, result, 0);
        copy(second, second.length, result, first.length);
        return result;
    }

    /** The elements and one more. */
    static long[] append(long[] array, long value) {
        if (array.length == Integer.MAX_VALUE) {
            throw new OutOfMemoryError();
        }
        long[] result = new long[array.length + 1];
        copy(array, array.length, result, 0);
        result[array.length] = value;
        return result;
    }

    static boolean contains(long[] array, long value) {
        for (long element : array) {
            if (element == value) {
                return true;
            }
        }
        return false;
    }

    static boolean isSorted(long[] array) {
        if (array.length == 0) {
            return true;
        }
        long previous = array[0];
        for (long element : array) {
            if (element < previous) {
                return false;
            }
            previous = element;
        }
        return true;
    }

    static boolean containsSorted(long[] sorted, long value) {
        int low = 0;
        int high = sorted.length;
        //@ loop_invariant 0 <= low && high <= sorted.length;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < sorted.length && sorted[low] == value;
    }

    static void sort(long[] array) {
        for (int i = 1; i < array.length; i++) {
            long value = array[i];
            int place = i;
            while (place > 0 && array[place - 1] > value) {
                array[place] = array[place - 1];
                place--;
            }
            array[place] = value;
        }
    }

    /** The elements of two sorted arrays, sorted, each once. */
    static long[] union(long[] first, long[] second) {
        if (second.length > Integer.MAX_VALUE - first.length) {
            throw new OutOfMemoryError();
        }
        long[] result = new long[first.length + second.length];
        int count = 0;
        int i = 0;
        int j = 0;
        //@ loop_invariant 0 <= i && i <= first.length && 0 <= j && j <= second.length && 0 <= count && count <= i + j;
        while (i < first.length || j < second.length) {
            long next;
            if (j == second.length || (i < first.length && first[i] <= second[j])) {
                next = first[i];
                i++;
            } else {
                next = second[j];
                j++;
            }
            if (count == 0 || result[count - 1] != next) {
                result[count] = next;
                count++;
            }
        }
        return prefix(result, count);
    }
}
