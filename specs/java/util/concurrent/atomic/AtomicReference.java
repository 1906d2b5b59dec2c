package java.util.concurrent.atomic;

import concord.Concord;
import java.util.function.UnaryOperator;

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

  /** May fail for no reason. */
  public final boolean weakCompareAndSetVolatile(V expectedValue, V newValue) {
    return Concord.anyBoolean() && compareAndSet(expectedValue, newValue);
  }

  public final V getAndUpdate(UnaryOperator<V> updateFunction) {
    while (true) {
      V old = value;
      if (compareAndSet(old, updateFunction.apply(old))) {
        return old;
      }
    }
  }

  public final V updateAndGet(UnaryOperator<V> updateFunction) {
    while (true) {
      V old = value;
      V next = updateFunction.apply(old);
      if (compareAndSet(old, next)) {
        return next;
      }
    }
  }
}
