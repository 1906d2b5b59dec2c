public class Stock {
  //@ unwritable_by_env_if holder == tid;
  private volatile int left = 1;

  //@ global_invariant left >= 0;

  public synchronized void put() {
    if (left < 5) {
      left++;
    }
  }

  public synchronized void take() {
    if (left > 0) {
      left--;
    }
  }
}
