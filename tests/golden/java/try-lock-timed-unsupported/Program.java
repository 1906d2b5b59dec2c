import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

class Program {
  public static void main(String[] args) throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    if (lock.tryLock(10, TimeUnit.MILLISECONDS)) {
      lock.unlock();
    }
    assert !lock.isHeldByCurrentThread();
  }
}
