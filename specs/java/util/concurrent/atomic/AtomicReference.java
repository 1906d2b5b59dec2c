package java.util.concurrent.atomic;

/** Each method reads and writes the value in one step, as volatile accesses do. */
public class AtomicReference<V> {
  private volatile V value;

  public AtomicReference(V initialValue) {
    value = initialValue;
  }

  public AtomicReference() {}

  public final V get() {
    return value;
  }

  public final void set(V newValue) {
    value = newValue;
  }

  public final V getAndSet(V newValue) {
    V old;
    //@ trusted atomic begin
    old = value;
    value = newValue;
    //@ trusted atomic end
    return old;
  }

  public final boolean compareAndSet(V expectedValue, V newValue) {
    boolean done = false;
    //@ trusted atomic begin
    if (value == expectedValue) {
      value = newValue;
      done = true;
    }
    //@ trusted atomic end
    return done;
  }
}
