import java.util.concurrent.atomic.AtomicStampedReference;

class Program {
  static final Object a = new Object(), b = new Object();
  static final AtomicStampedReference<Object> top = new AtomicStampedReference<>(a, 0);
  static volatile boolean changed;

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(() -> {
      int[] stamp = new int[1];
      Object seen = top.get(stamp);
      assert seen == a && top.compareAndSet(seen, b, stamp[0], stamp[0] + 1);
      changed = true;
      assert top.getReference() == b && top.getStamp() == 1;
      top.set(a, 2);
    });
    int[] stamp = new int[1];
    Object seen = top.get(stamp);
    other.start();
    other.join();
    // The same reference again, but not the same stamp.
    assert changed && seen == a && top.getReference() == a;
    assert !top.compareAndSet(seen, b, stamp[0], stamp[0] + 1);
    assert !top.weakCompareAndSet(seen, b, stamp[0], stamp[0] + 1);
    if (top.attemptStamp(a, 7)) {
      assert top.getStamp() == 7;
    }
  }
}
