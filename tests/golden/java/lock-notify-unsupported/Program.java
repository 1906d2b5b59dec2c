import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

class Program {
  public static void main(String[] args) {
    Lock lock = new ReentrantLock();
    Object same = lock;
    lock.lock();
    same.notifyAll(); // IllegalMonitorStateException: the monitor is not the lock
    lock.unlock();
  }
}
