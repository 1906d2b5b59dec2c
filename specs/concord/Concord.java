package concord;

/**
 * What a stub of a library class, or a program, says to the verifier. A verifier knows these methods by name; a virtual
 * machine that runs them is told that it should not.
 */
public final class Concord {
  private Concord() {}

  /** Waits until nobody else holds the monitor of the object, and takes it. */
  public static void acquire(Object lock) {
    throw new UnsupportedOperationException();
  }

  /** Gives up the monitor of the object once. */
  public static void release(Object lock) {
    throw new UnsupportedOperationException();
  }

  /** How many times the running thread holds the monitor of the object; 0 if somebody else does. */
  public static int depth(Object lock) {
    throw new UnsupportedOperationException();
  }

  /** Whether nobody else holds the monitor of the object. */
  public static boolean isFree(Object lock) {
    throw new UnsupportedOperationException();
  }

  /** Some number: all that follows has to hold for each. */
  public static int anyInt() {
    throw new UnsupportedOperationException();
  }

  public static long anyLong() {
    throw new UnsupportedOperationException();
  }

  public static boolean anyBoolean() {
    throw new UnsupportedOperationException();
  }

  /** Starts the thread; it must not have been started before. */
  public static void start(Thread thread) {
    throw new UnsupportedOperationException();
  }

  /** Waits until the thread has ended; does not wait for one that was never started. */
  public static void join(Thread thread) {
    throw new UnsupportedOperationException();
  }

  /** Whether the thread was started, even if it has ended since. */
  public static boolean isStarted(Thread thread) {
    throw new UnsupportedOperationException();
  }

  public static Thread currentThread() {
    throw new UnsupportedOperationException();
  }

  /**
   * Before and after a wait that an interrupt ends. Where threads are interrupted, this is what the methods of the same name in the stub of
   * Thread do; elsewhere it is nothing.
   */
  public static void beginWaiting() throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  public static void beginJoining(Thread thread) throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  public static void endWaiting() {
    throw new UnsupportedOperationException();
  }

  /** Of a wait whose end nobody can tell, all that matters of an interrupt. */
  public static void throwIfInterrupted() throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /** Says among the assumptions what this stub relies on beyond the documentation of the library; a constant. */
  public static void assumption(String text) {
    throw new UnsupportedOperationException();
  }

  /** The documentation promises no order of memory in such a case, the JDK does have it. */
  public static final String LOOKING_ORDERS =
      "looking at a lock, semaphore or latch without acquiring it (a tryLock() that fails) orders as a volatile read, as in the JDK";

  /** What happens here is not known; the reason is a constant. */
  public static void unsupported(String reason) {
    throw new UnsupportedOperationException();
  }

  /** Runs in which the condition is false are not considered. */
  public static void assume(boolean condition) {
    throw new UnsupportedOperationException();
  }

  /** Gives the object back: nobody may use it any more. */
  public static void free(Object object) {
    throw new UnsupportedOperationException();
  }

  /** Some object of the class that was given back, its fields as they were; or null. From now on it is in use again. */
  public static <T> T reused(Class<T> type) {
    throw new UnsupportedOperationException();
  }
}
