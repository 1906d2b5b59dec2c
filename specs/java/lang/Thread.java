package java.lang;

import concord.Concord;

/** A thread runs {@code run} once it is started; its end is seen by {@code join} and {@code isAlive}. */
public class Thread implements Runnable {
  private final Runnable target;

  public Thread() {
    target = null;
  }

  public Thread(Runnable target) {
    this.target = target;
  }

  public Thread(String name) {
    target = null;
  }

  public Thread(Runnable target, String name) {
    this.target = target;
  }

  public static Thread currentThread() {
    return Concord.currentThread();
  }

  public static void yield() {}

  public static void onSpinWait() {}

  /** However long it takes, anything may happen meanwhile; no thread is interrupted. */
  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException();
    }
  }

  @Override
  public void run() {
    if (target != null) {
      target.run();
    }
  }

  public void start() {
    Concord.start(this);
  }

  public final void join() throws InterruptedException {
    Concord.join(this);
  }

  /** A daemon differs only in what happens when all other threads have ended. */
  public final void setDaemon(boolean on) {
    assert !Concord.isStarted(this);
  }
}
