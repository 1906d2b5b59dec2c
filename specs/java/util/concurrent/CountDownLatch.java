package java.util.concurrent;

import concord.Concord;

/** One volatile number; whoever awaits waits until it is zero. */
public class CountDownLatch {
  private volatile int count;

  public CountDownLatch(int count) {
    if (count < 0) {
      throw new IllegalArgumentException();
    }
    this.count = count;
  }

  public void countDown() {
    //@ trusted atomic begin
    if (count > 0) {
      count = count - 1;
    }
    //@ trusted atomic end
  }

  public long getCount() {
    Concord.assumption(Concord.LOOKING_ORDERS);
    return count;
  }

  public void await() throws InterruptedException {
    Concord.beginWaiting();
    //@ trusted atomic begin
    Concord.assume(count == 0);
    //@ trusted atomic end
    Concord.endWaiting();
  }
}
