import java.util.concurrent.locks.ReentrantLock;
class Program {
  static final ReentrantLock lock = new ReentrantLock();
  static int x;
  public static void main(String[] args) throws InterruptedException {
    Thread a = new Thread(() -> { x = 1; lock.lock(); lock.unlock(); });
    a.start();
    // The documentation promises no order here, the JDK has it: an assumption.
    if (!lock.tryLock()) { assert x == 1; int y = x; } else lock.unlock();
  }
}
