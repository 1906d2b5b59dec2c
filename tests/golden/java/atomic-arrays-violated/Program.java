import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

class Program {
  static final AtomicIntegerArray counts = new AtomicIntegerArray(2);

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(() -> {
      counts.incrementAndGet(0);
      counts.set(1, counts.get(1) + 1);
    });
    other.start();
    counts.incrementAndGet(0);
    counts.set(1, counts.get(1) + 1);
    other.join();
    assert counts.get(1) == 2;
    AtomicLongArray sums = new AtomicLongArray(new long[] {4, 5});
    assert sums.length() == 2 && sums.addAndGet(1, 2) == 7 && sums.compareAndSet(0, 4, 3) && sums.get(0) == 3;
    AtomicReferenceArray<String> words = new AtomicReferenceArray<>(1);
    words.set(0, "word");
    assert words.getAndSet(0, null) == "word" && words.get(0) == null;
  }
}
