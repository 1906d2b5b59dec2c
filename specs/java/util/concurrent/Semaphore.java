package java.util.concurrent;

import concord.Concord;

/** Permits are one volatile number; whoever acquires waits until there is one. */
public class Semaphore {
  private volatile int permits;

  public Semaphore(int permits) {
    this.permits = permits;
  }

  public Semaphore(int permits, boolean fair) {
    this.permits = permits;
  }

  public void acquire() throws InterruptedException {
    Concord.beginWaiting();
    acquireUninterruptibly();
    Concord.endWaiting();
  }

  public boolean tryAcquire() {
    Concord.assumption(Concord.LOOKING_ORDERS);
    boolean done = false;
    //@ trusted atomic begin
    if (permits > 0) {
      permits = permits - 1;
      done = true;
    }
    //@ trusted atomic end
    return done;
  }

  public void acquireUninterruptibly() {
    //@ trusted atomic begin
    Concord.assume(permits > 0);
    permits = permits - 1;
    //@ trusted atomic end
  }

  public void release() {
    //@ trusted atomic begin
    permits = permits + 1;
    //@ trusted atomic end
  }

  public int availablePermits() {
    Concord.assumption(Concord.LOOKING_ORDERS);
    return permits;
  }
}
