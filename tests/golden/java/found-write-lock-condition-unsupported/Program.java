import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class Program {
  static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  public static void main(String[] args) {
    Condition condition = lock.writeLock().newCondition();
    assert condition == null;
  }
}
