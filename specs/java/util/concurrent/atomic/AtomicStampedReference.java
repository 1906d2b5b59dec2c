package java.util.concurrent.atomic;

import concord.Concord;

/** The reference and its stamp change in one step, and are read in one. */
public class AtomicStampedReference<V> {
  private volatile V reference;
  private volatile int stamp;

  public AtomicStampedReference(V initialRef, int initialStamp) {
    reference = initialRef;
    stamp = initialStamp;
  }

  public V getReference() {
    return reference;
  }

  public int getStamp() {
    return stamp;
  }

  public V get(int[] stampHolder) {
    V found;
    int with;
    //@ trusted atomic begin
    found = reference;
    with = stamp;
    //@ trusted atomic end
    stampHolder[0] = with;
    return found;
  }

  public boolean compareAndSet(V expectedReference, V newReference, int expectedStamp, int newStamp) {
    boolean done = false;
    //@ trusted atomic begin
    if (reference == expectedReference && stamp == expectedStamp) {
      reference = newReference;
      stamp = newStamp;
      done = true;
    }
    //@ trusted atomic end
    return done;
  }

  /** May fail for no reason. */
  public boolean weakCompareAndSet(V expectedReference, V newReference, int expectedStamp, int newStamp) {
    Concord.assumption("AtomicStampedReference.weakCompareAndSet orders as compareAndSet, as in the JDK");
    return Concord.anyBoolean() && compareAndSet(expectedReference, newReference, expectedStamp, newStamp);
  }

  public void set(V newReference, int newStamp) {
    //@ trusted atomic begin
    reference = newReference;
    stamp = newStamp;
    //@ trusted atomic end
  }

  /** May fail for no reason. */
  public boolean attemptStamp(V expectedReference, int newStamp) {
    boolean done = false;
    boolean tries = Concord.anyBoolean();
    //@ trusted atomic begin
    if (tries && reference == expectedReference) {
      stamp = newStamp;
      done = true;
    }
    //@ trusted atomic end
    return done;
  }
}
