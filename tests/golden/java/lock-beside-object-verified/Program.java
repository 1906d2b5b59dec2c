import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

class Program {
  static final Object plain = new Object();
  static final Lock lock = new ReentrantLock();
  static int count;

  static void add(Object monitor) {
    synchronized (plain) {
      count++;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(() -> {
      lock.lock();
      add(plain);
      lock.unlock();
    });
    other.start();
    add(plain);
    other.join();
    assert count == 2;
  }
}
