package java.util.concurrent.atomic;

import concord.Concord;
import java.util.function.IntUnaryOperator;

/** Each method reads and writes the value in one step, as volatile accesses do. */
public class AtomicInteger extends Number {
  private volatile int value;

  public AtomicInteger(int initialValue) {
    value = initialValue;
  }

  public AtomicInteger() {}

  public final int get() {
    return value;
  }

  public final void set(int newValue) {
    value = newValue;
  }

  public final int getAndSet(int newValue) {
    int old;
    //@ trusted atomic begin
    old = value;
    value = newValue;
    //@ trusted atomic end
    return old;
  }

  public final boolean compareAndSet(int expectedValue, int newValue) {
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
  public final boolean weakCompareAndSetVolatile(int expectedValue, int newValue) {
    return Concord.anyBoolean() && compareAndSet(expectedValue, newValue);
  }

  public final int getAndUpdate(IntUnaryOperator updateFunction) {
    while (true) {
      int old = value;
      if (compareAndSet(old, updateFunction.applyAsInt(old))) {
        return old;
      }
    }
  }

  public final int updateAndGet(IntUnaryOperator updateFunction) {
    while (true) {
      int old = value;
      int next = updateFunction.applyAsInt(old);
      if (compareAndSet(old, next)) {
        return next;
      }
    }
  }

  public final int getAndAdd(int delta) {
    int old;
    //@ trusted atomic begin
    old = value;
    value = old + delta;
    //@ trusted atomic end
    return old;
  }

  public final int addAndGet(int delta) {
    return getAndAdd(delta) + delta;
  }

  public final int getAndIncrement() {
    return getAndAdd(1);
  }

  public final int getAndDecrement() {
    return getAndAdd(-1);
  }

  public final int incrementAndGet() {
    return getAndAdd(1) + 1;
  }

  public final int decrementAndGet() {
    return getAndAdd(-1) - 1;
  }

  public int intValue() {
    return value;
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
