package java.util.concurrent.atomic;

/** Each element is read and written as an {@link AtomicReference}. */
public class AtomicReferenceArray<E> {
  private final AtomicReference<E>[] elements;

  @SuppressWarnings("unchecked")
  public AtomicReferenceArray(int length) {
    elements = new AtomicReference[length];
    for (int i = 0; i < length; i++) {
      elements[i] = new AtomicReference<E>();
    }
  }

  public final int length() {
    return elements.length;
  }

  public final E get(int i) {
    return elements[i].get();
  }

  public final void set(int i, E newValue) {
    elements[i].set(newValue);
  }

  public final E getAndSet(int i, E newValue) {
    return elements[i].getAndSet(newValue);
  }

  public final boolean compareAndSet(int i, E expectedValue, E newValue) {
    return elements[i].compareAndSet(expectedValue, newValue);
  }
}
