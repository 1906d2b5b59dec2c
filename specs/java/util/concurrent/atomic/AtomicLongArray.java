package java.util.concurrent.atomic;

/** Each element is read and written as an {@link AtomicLong}. */
public class AtomicLongArray {
  private final AtomicLong[] elements;

  public AtomicLongArray(int length) {
    elements = new AtomicLong[length];
    for (int i = 0; i < length; i++) {
      elements[i] = new AtomicLong();
    }
  }

  public AtomicLongArray(long[] array) {
    elements = new AtomicLong[array.length];
    for (int i = 0; i < array.length; i++) {
      elements[i] = new AtomicLong(array[i]);
    }
  }

  public final int length() {
    return elements.length;
  }

  public final long get(int i) {
    return elements[i].get();
  }

  public final void set(int i, long newValue) {
    elements[i].set(newValue);
  }

  public final long getAndSet(int i, long newValue) {
    return elements[i].getAndSet(newValue);
  }

  public final boolean compareAndSet(int i, long expectedValue, long newValue) {
    return elements[i].compareAndSet(expectedValue, newValue);
  }

  public final long getAndAdd(int i, long delta) {
    return elements[i].getAndAdd(delta);
  }

  public final long addAndGet(int i, long delta) {
    return elements[i].addAndGet(delta);
  }

  public final long getAndIncrement(int i) {
    return elements[i].getAndIncrement();
  }

  public final long getAndDecrement(int i) {
    return elements[i].getAndDecrement();
  }

  public final long incrementAndGet(int i) {
    return elements[i].incrementAndGet();
  }

  public final long decrementAndGet(int i) {
    return elements[i].decrementAndGet();
  }
}
