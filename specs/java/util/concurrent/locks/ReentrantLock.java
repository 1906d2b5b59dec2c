package java.util.concurrent.locks;

import concord.Concord;

/** The lock is the monitor of the object, so `\holds(lock)` and `lock.holder` speak of it. */
public class ReentrantLock implements Lock {
  public ReentrantLock() {}

  public ReentrantLock(boolean fair) {}

  @Override
  public void lock() {
    Concord.acquire(this);
  }

  /** Fair or not, it does not wait for those who wait. */
  @Override
  public boolean tryLock() {
    Concord.assumption(Concord.LOOKING_ORDERS);
    boolean done = false;
    //@ trusted atomic begin
    if (Concord.isFree(this)) {
      Concord.acquire(this);
      done = true;
    }
    //@ trusted atomic end
    return done;
  }

  @Override
  public void unlock() {
    Concord.release(this);
  }

  @Override
  public Condition newCondition() {
    return new Waiting(this);
  }

  public boolean isHeldByCurrentThread() {
    return Concord.depth(this) > 0;
  }

  public int getHoldCount() {
    return Concord.depth(this);
  }

  /**
   * Whoever awaits gives the lock back, all levels of it, and goes on after a signal, or without one: that is decided beforehand, so
   * that nobody can count on it, and who goes on by itself takes nobody's signal. A signal is for one of those who wait already:
   * whoever gives it holds the lock, and keeps it until one of them has it.
   */
  private static class Waiting implements Condition {
    private final ReentrantLock lock;
    private volatile int waiting; // for a signal, and none has been given to them
    private volatile int given; // signals that nobody has taken yet

    Waiting(ReentrantLock lock) {
      this.lock = lock;
    }

    @Override
    public void await() throws InterruptedException {
      assert Concord.depth(lock) > 0 : "monitor-state";
      Concord.beginWaiting();
      int levels = Concord.depth(lock);
      boolean spuriously = Concord.anyBoolean();
      //@ trusted atomic begin
      if (!spuriously) {
        waiting = waiting + 1;
      }
      Concord.release(lock);
      for (int i = 1; i < levels; i++) {
        Concord.release(lock);
      }
      //@ trusted atomic end
      if (!spuriously) {
        //@ trusted atomic begin
        Concord.assume(given > 0);
        given = given - 1;
        //@ trusted atomic end
      }
      for (int i = 0; i < levels; i++) {
        Concord.acquire(lock);
      }
      Concord.endWaiting();
    }

    @Override
    public void signal() {
      assert Concord.depth(lock) > 0 : "monitor-state";
      //@ trusted atomic begin
      if (waiting > 0) {
        waiting = waiting - 1;
        given = 1;
      }
      //@ trusted atomic end
      //@ trusted atomic begin
      Concord.assume(given == 0);
      //@ trusted atomic end
    }

    @Override
    public void signalAll() {
      assert Concord.depth(lock) > 0 : "monitor-state";
      //@ trusted atomic begin
      given = waiting;
      waiting = 0;
      //@ trusted atomic end
      //@ trusted atomic begin
      Concord.assume(given == 0);
      //@ trusted atomic end
    }
  }
}
