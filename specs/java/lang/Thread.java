package java.lang;

import concord.Concord;

/** A thread runs {@code run} once it is started; its end is seen by {@code join} and {@code isAlive}. */
public class Thread implements Runnable {
  private final Runnable target;
  private volatile String name;
  private volatile boolean ended; // set by the verifier
  private volatile boolean interrupted;
  private volatile boolean waiting; // where an interrupt would end it

  public Thread() {
    target = null;
  }

  public Thread(Runnable target) {
    this.target = target;
  }

  public Thread(String name) {
    target = null;
    this.name = name;
  }

  public Thread(Runnable target, String name) {
    this.target = target;
    this.name = name;
  }

  public static Thread currentThread() {
    return Concord.currentThread();
  }

  public static void yield() {}

  public static void onSpinWait() {}

  /** However long it takes, anything may happen meanwhile. */
  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException();
    }
    Concord.throwIfInterrupted();
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

  public final boolean isAlive() {
    return Concord.isStarted(this) && !ended;
  }

  public final void join() throws InterruptedException {
    Concord.beginJoining(this);
    Concord.join(this);
    Concord.endWaiting();
  }

  /** A daemon differs only in what happens when all other threads have ended. */
  public final void setDaemon(boolean on) {
    assert !isAlive() : "thread-state";
  }

  /** A name that was not given is made up when it is asked for. */
  public final String getName() {
    if (name == null) {
      String made = "Thread-";
      made += "?";
      //@ trusted atomic begin
      if (name == null) {
        name = made;
      }
      //@ trusted atomic end
    }
    return name;
  }

  public final void setName(String name) {
    if (name == null) {
      throw new NullPointerException();
    }
    this.name = name;
  }

  /** That of a thread that is not alive is remembered too, as the JDK does. */
  public void interrupt() {
    boolean waits;
    //@ trusted atomic begin
    waits = waiting;
    if (!waits) {
      interrupted = true;
    }
    //@ trusted atomic end
    if (waits) {
      Concord.unsupported("interrupting a thread that waits");
    }
  }

  public boolean isInterrupted() {
    return interrupted;
  }

  public static boolean interrupted() {
    Thread me = currentThread();
    boolean was;
    //@ trusted atomic begin
    was = me.interrupted;
    me.interrupted = false;
    //@ trusted atomic end
    return was;
  }

  static void throwIfInterrupted() throws InterruptedException {
    if (interrupted()) {
      throw new InterruptedException();
    }
  }

  static void beginWaiting() throws InterruptedException {
    Thread me = currentThread();
    boolean was;
    //@ trusted atomic begin
    was = me.interrupted;
    me.interrupted = false;
    me.waiting = !was;
    //@ trusted atomic end
    if (was) {
      throw new InterruptedException();
    }
  }

  /** Of a thread that has ended already it is not noticed. */
  static void beginJoining(Thread thread) throws InterruptedException {
    if (thread.isAlive()) {
      beginWaiting();
    }
  }

  static void endWaiting() {
    currentThread().waiting = false;
  }
}
