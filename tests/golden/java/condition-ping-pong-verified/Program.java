// Each gives a signal and waits at the same condition: nobody takes a signal that was there before him.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class Program {
  static final ReentrantLock lock = new ReentrantLock();
  static final Condition moved = lock.newCondition();
  static int turn;

  static void play(int me) throws InterruptedException {
    lock.lock();
    for (int i = 0; i < 2; i++) {
      while (turn != me) {
        moved.await();
      }
      turn = 1 - me;
      moved.signal();
    }
    lock.unlock();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Thread other =
        new Thread(
            () -> {
              try {
                play(1);
              } catch (InterruptedException never) {
                assert false;
              }
            });
    other.start();
    play(0);
  }
}
