package java.util.concurrent.atomic;

/** Each method is one step: the monitor of the object itself is held throughout. */
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

  public final synchronized int incrementAndGet() {
    return ++value;
  }

  public final synchronized boolean compareAndSet(int expectedValue, int newValue) {
    if (value != expectedValue) return false;
    value = newValue;
    return true;
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
