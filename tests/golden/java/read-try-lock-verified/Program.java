import java.util.concurrent.locks.ReentrantReadWriteLock;

class Program {
  static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  public static void main(String[] args) throws InterruptedException {
    lock.readLock().lock();
    Thread other = new Thread(() -> {
      assert lock.readLock().tryLock();
      lock.readLock().unlock();
      assert !lock.writeLock().tryLock(); // there is a reader
    });
    other.start();
    other.join();
    assert !lock.writeLock().tryLock(); // that reader is me
    lock.readLock().unlock();
    assert lock.writeLock().tryLock() && lock.writeLock().tryLock() && lock.readLock().tryLock();
    lock.writeLock().unlock();
    lock.writeLock().unlock();
    lock.readLock().unlock();
  }
}
