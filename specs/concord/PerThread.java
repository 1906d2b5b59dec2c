package concord;

/** A number for each thread, 0 at first. A field of a stub has this type; it is never assigned, nor read as a whole. */
public final class PerThread {
  /** That of the running thread. */
  public int get() {
    throw new UnsupportedOperationException();
  }

  public void set(int number) {
    throw new UnsupportedOperationException();
  }
}
