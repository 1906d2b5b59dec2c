package java.util.concurrent.atomic;

import concord.Concord;
import java.util.function.LongUnaryOperator;

/** Each method reads and writes the value in one step, as volatile accesses do. */
public class AtomicLong extends Number {
  private volatile long value;

  public AtomicLong(long initialValue) {
    value = initialValue;
  }

  public AtomicLong() {}

  public final long get() {
    return value;
  }

  public final void set(long newValue) {
    value = newValue;
  }

  public final long getAndSet(long newValue) {
    long old;
    //@ trusted atomic begin
    old = value;
    value = newValue;
    //@ trusted atomic end
    return old;
  }

  public final boolean compareAndSet(long expectedValue, long newValue) {
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
  public final boolean weakCompareAndSetVolatile(long expectedValue, long newValue) {
    return Concord.anyBoolean() && compareAndSet(expectedValue, newValue);
  }

  public final long getAndUpdate(LongUnaryOperator updateFunction) {
    while (true) {
      long old = value;
      if (compareAndSet(old, updateFunction.applyAsLong(old))) {
        return old;
      }
    }
  }

  public final long updateAndGet(LongUnaryOperator updateFunction) {
    while (true) {
      long old = value;
      long next = updateFunction.applyAsLong(old);
      if (compareAndSet(old, next)) {
        return next;
      }
    }
  }

  public final long getAndAdd(long delta) {
    long old;
    //@ trusted atomic begin
    old = value;
    value = old + delta;
    //@ trusted atomic end
    return old;
  }

  public final long addAndGet(long delta) {
    return getAndAdd(delta) + delta;
  }

  public final long getAndIncrement() {
    return getAndAdd(1);
  }

  public final long getAndDecrement() {
    return getAndAdd(-1);
  }

  public final long incrementAndGet() {
    return getAndAdd(1) + 1;
  }

  public final long decrementAndGet() {
    return getAndAdd(-1) - 1;
  }

  public int intValue() {
    return (int) value;
  }

  public long longValue() {
    return value;
  }

  public float floatValue() {
    return value;
  }

  public double doubleValue() {
    return value;
  }
}
