import java.util.concurrent.locks.ReentrantReadWriteLock;

class Program {
  static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  static int data;

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(() -> {
      lock.readLock().lock();
      int seen = data;
      lock.readLock().lock();
      lock.readLock().unlock();
      lock.readLock().unlock();
    });
    other.start();
    lock.writeLock().lock();
    data = 1;
    lock.readLock().lock();
    lock.writeLock().unlock();
    assert data == 1;
    lock.readLock().unlock();
    other.join();
  }
}
