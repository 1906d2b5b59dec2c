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

  @Override
  public void unlock() {
    Concord.release(this);
  }
}
