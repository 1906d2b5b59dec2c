import concord.Concord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Exported once when the archive is made, so that it holds the classes that an ordinary program needs. */
class Training<T extends Comparable<T>> extends Thread implements Runnable {
  enum Colour { RED, GREEN }

  record Point(int x, int y) {}

  interface Shape {
    double area();
  }

  private final Map<String, List<T>> lists = new HashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile int[] numbers = {1, 2, 3};
  static final int LIMIT = 3 * 4;

  @Override
  public void run() {
    synchronized (this) {
      for (int i = 0; i < LIMIT && i < numbers.length; i++) numbers[i] += Concord.anyInt() << 2;
    }
    lock.lock();
    try {
      lists.computeIfAbsent("a", key -> new ArrayList<>()).forEach(System.out::println);
      for (Map.Entry<String, List<T>> entry : lists.entrySet()) assert entry.getValue() != null : "none";
      notifyAll();
    } catch (IllegalMonitorStateException | NullPointerException problem) {
      throw new IllegalStateException("text " + count.incrementAndGet(), problem);
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("unchecked")
  T convert(Object object, Colour colour) {
    int number = switch (colour) {
      case RED -> 1;
      case GREEN -> {
        yield object instanceof Point point ? point.x() : 2;
      }
    };
    Function<Integer, Integer> twice = n -> n * 2;
    Shape shape = new Shape() {
      @Override
      public double area() {
        return twice.apply(number);
      }
    };
    while (shape.area() > 0) {
      do {
        switch (number) {
          case 1: break;
          default: continue;
        }
      } while (number > 1);
    }
    return (T) object;
  }

  public static void main(String[] arguments) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Thread thread = new Training<String>();
    thread.start();
    thread.join();
    pool.submit(thread);
  }
}
