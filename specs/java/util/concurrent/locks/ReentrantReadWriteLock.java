package java.util.concurrent.locks;

import concord.Concord;
import concord.PerThread;

/**
 * One writer, or any number of readers. A reader that becomes a writer waits for ever, since it is a reader itself; a writer may
 * read. Conditions are not supported.
 */
public class ReentrantReadWriteLock implements ReadWriteLock {
  private final ReadLock reader;
  private final WriteLock writer;

  public ReentrantReadWriteLock() {
    Shared shared = new Shared();
    reader = new ReadLock(shared);
    writer = new WriteLock(shared);
  }

  public ReentrantReadWriteLock(boolean fair) {
    Shared shared = new Shared();
    reader = new ReadLock(shared);
    writer = new WriteLock(shared);
  }

  @Override
  public ReadLock readLock() {
    return reader;
  }

  @Override
  public WriteLock writeLock() {
    return writer;
  }

  static class Shared {
    volatile int readers; // of all threads together
    volatile PerThread holds; // how many of them are the thread's own
    volatile Thread writer;
    volatile int depth;
  }

  public static class ReadLock implements Lock {
    private final Shared shared;

    ReadLock(Shared shared) {
      this.shared = shared;
    }

    @Override
    public void lock() {
      Concord.assumption("readers do not wait for a writer that waits (deadlocks that come of it are not found)");
      Thread me = Thread.currentThread();
      //@ trusted atomic begin
      Concord.assume(shared.writer == null || shared.writer == me);
      shared.readers = shared.readers + 1;
      shared.holds.set(shared.holds.get() + 1);
      //@ trusted atomic end
    }

    @Override
    public boolean tryLock() {
      Concord.assumption(Concord.LOOKING_ORDERS);
      Thread me = Thread.currentThread();
      boolean done = false;
      //@ trusted atomic begin
      if (shared.writer == null || shared.writer == me) {
        shared.readers = shared.readers + 1;
        shared.holds.set(shared.holds.get() + 1);
        done = true;
      }
      //@ trusted atomic end
      return done;
    }

    @Override
    public void unlock() {
      //@ trusted atomic begin
      assert shared.holds.get() > 0 : "monitor-state";
      shared.readers = shared.readers - 1;
      shared.holds.set(shared.holds.get() - 1);
      //@ trusted atomic end
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException();
    }
  }

  public static class WriteLock implements Lock {
    private final Shared shared;

    WriteLock(Shared shared) {
      this.shared = shared;
    }

    @Override
    public void lock() {
      Thread me = Thread.currentThread();
      //@ trusted atomic begin
      Concord.assume(shared.writer == me || (shared.writer == null && shared.readers == 0));
      shared.writer = me;
      shared.depth = shared.depth + 1;
      //@ trusted atomic end
    }

    @Override
    public boolean tryLock() {
      Concord.assumption(Concord.LOOKING_ORDERS);
      Thread me = Thread.currentThread();
      boolean done = false;
      //@ trusted atomic begin
      if (shared.writer == me || (shared.writer == null && shared.readers == 0)) {
        shared.writer = me;
        shared.depth = shared.depth + 1;
        done = true;
      }
      //@ trusted atomic end
      return done;
    }

    @Override
    public void unlock() {
      Thread me = Thread.currentThread();
      //@ trusted atomic begin
      assert shared.writer == me : "monitor-state";
      shared.depth = shared.depth - 1;
      if (shared.depth == 0) {
        shared.writer = null;
      }
      //@ trusted atomic end
    }

    @Override
    public Condition newCondition() {
      Concord.unsupported("conditions of a write lock");
      return null;
    }
  }
}
