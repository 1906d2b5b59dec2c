import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

class Program {
  static final AtomicInteger number = new AtomicInteger(1);

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(() -> {
      number.updateAndGet(n -> n + 1);
    });
    other.start();
    number.set(number.get() + 1);
    other.join();
    assert number.get() == 3;
    AtomicLong large = new AtomicLong(1L << 40);
    assert large.getAndUpdate(n -> n / 2) == 1099511627776L && large.get() == 549755813888L;
    AtomicReference<String> word = new AtomicReference<>("a");
    assert word.updateAndGet(w -> w == "a" ? "b" : "c") == "b";
    while (!word.weakCompareAndSetVolatile("b", "c")) {
      assert word.get() == "b";
    }
    assert word.get() == "c";
  }
}
