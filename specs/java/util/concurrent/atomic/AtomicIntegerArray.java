package java.util.concurrent.atomic;

/** Each element is read and written as an {@link AtomicInteger}. */
public class AtomicIntegerArray {
  private final AtomicInteger[] elements;

  public AtomicIntegerArray(int length) {
    elements = new AtomicInteger[length];
    for (int i = 0; i < length; i++) {
      elements[i] = new AtomicInteger();
    }
  }

  public AtomicIntegerArray(int[] array) {
    elements = new AtomicInteger[array.length];
    for (int i = 0; i < array.length; i++) {
      elements[i] = new AtomicInteger(array[i]);
    }
  }

  public final int length() {
    return elements.length;
  }

  public final int get(int i) {
    return elements[i].get();
  }

  public final void set(int i, int newValue) {
    elements[i].set(newValue);
  }

  public final int getAndSet(int i, int newValue) {
    return elements[i].getAndSet(newValue);
  }

  public final boolean compareAndSet(int i, int expectedValue, int newValue) {
    return elements[i].compareAndSet(expectedValue, newValue);
  }

  public final int getAndAdd(int i, int delta) {
    return elements[i].getAndAdd(delta);
  }

  public final int addAndGet(int i, int delta) {
    return elements[i].addAndGet(delta);
  }

  public final int getAndIncrement(int i) {
    return elements[i].getAndIncrement();
  }

  public final int getAndDecrement(int i) {
    return elements[i].getAndDecrement();
  }

  public final int incrementAndGet(int i) {
    return elements[i].incrementAndGet();
  }

  public final int decrementAndGet(int i) {
    return elements[i].decrementAndGet();
  }
}
