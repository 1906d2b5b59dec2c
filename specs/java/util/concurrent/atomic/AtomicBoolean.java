package java.util.concurrent.atomic;

/** Each method reads and writes the value in one step, as volatile accesses do. */
public class AtomicBoolean {
  private volatile boolean value;

  public AtomicBoolean(boolean initialValue) {
    value = initialValue;
  }

  public AtomicBoolean() {}

  public final boolean get() {
    return value;
  }

  public final void set(boolean newValue) {
    value = newValue;
  }

  public final boolean getAndSet(boolean newValue) {
    boolean old;
    //@ trusted atomic begin
    old = value;
    value = newValue;
    //@ trusted atomic end
    return old;
  }

  public final boolean compareAndSet(boolean expectedValue, boolean newValue) {
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
