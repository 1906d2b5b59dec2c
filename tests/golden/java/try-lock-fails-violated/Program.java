import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

class Program {
  static final ReentrantLock lock = new ReentrantLock();
  static int count;

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(() -> {
      if (lock.tryLock()) {
        count++;
        lock.unlock();
      }
    });
    other.start();
    lock.lock();
    assert lock.tryLock() && lock.getHoldCount() == 2;
    count++;
    lock.unlock();
    lock.unlock();
    other.join();
    assert count == 2; // unless tryLock() found the lock taken
    Semaphore permits = new Semaphore(1);
    assert permits.tryAcquire() && !permits.tryAcquire();
    permits.release();
    assert permits.tryAcquire();
  }
}
