import java.util.concurrent.*;
import java.util.concurrent.locks.*;
class Program {
  static int check(Callable<Integer> c) throws Exception {
    Thread.currentThread().interrupt();
    int r = 0;
    try { c.call(); } catch (InterruptedException e) { r = 1; }
    if (Thread.interrupted()) r += 2;
    return r;
  }
  public static void main(String[] args) throws Exception {
    Semaphore s = new Semaphore(1);
    assert check(() -> { s.acquire(); return 0; }) == 1 && s.availablePermits() == 1;
    assert check(() -> { s.acquireUninterruptibly(); return 0; }) == 2 && s.availablePermits() == 0;
    CountDownLatch l = new CountDownLatch(0);
    assert check(() -> { l.await(); return 0; }) == 1;
    ReentrantLock k = new ReentrantLock();
    Condition c = k.newCondition();
    k.lock();
    assert check(() -> { c.await(); return 0; }) == 1;
    assert k.getHoldCount() == 1;
    k.unlock();
    Thread never = new Thread();
    assert check(() -> { never.join(); return 0; }) == 2;
    CountDownLatch hold = new CountDownLatch(1);
    Thread t = new Thread(() -> { try { hold.await(); } catch (InterruptedException e) { assert false; } });
    t.start();
    assert check(() -> { t.join(); return 0; }) == 1;
    hold.countDown();
    t.join();
    assert check(() -> { t.join(); return 0; }) == 2;
    Object o = new Object();
    assert check(() -> { synchronized (o) { o.wait(); } return 0; }) == 1;
    assert check(() -> { Thread.sleep(1); return 0; }) == 1;
    assert check(() -> { Thread.yield(); return 0; }) == 2;
  }
}
