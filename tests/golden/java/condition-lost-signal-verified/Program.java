// A signal is lost if nobody waits for it.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class Program {
  static final ReentrantLock lock = new ReentrantLock();
  static final Condition done = lock.newCondition();
  static boolean isDone;

  static void finish() {
    lock.lock();
    isDone = true;
    done.signal();
    lock.unlock();
  }

  public static void main(String[] arguments) throws InterruptedException {
    new Thread(Program::finish).start();
    lock.lock();
    while (!isDone) {
      done.await();
    }
    lock.unlock();
  }
}
