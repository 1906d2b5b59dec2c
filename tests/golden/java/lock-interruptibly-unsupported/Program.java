import java.util.concurrent.locks.ReentrantLock;

class Program {
  public static void main(String[] args) throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    lock.lockInterruptibly();
    assert lock.isHeldByCurrentThread();
  }
}
