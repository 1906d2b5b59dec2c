import concord.Concord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

// Every kind of node that there is, and the corners of each.
public class Kinds<T extends Comparable<T>> extends Base implements Greeter {
  enum Colour {
    RED, GREEN("g") {
      @Override int weight() { return 2; }
    };
    Colour(String... names) {}
    int weight() { return 1; }
  }

  record Point(int x, int y) {
    Point {
      if (x < 0) throw new IllegalArgumentException("négatif");
    }
  }

  record Pair(Object first, Object second) {
    public Object first() { return this.first; }
  }

  @interface Marked {
    String value() default "";
  }

  class Inner {
    int seen = Kinds.this.number + number;
  }

  static final long BIG = 1L << 40;
  static int count;
  private volatile int number = 'a' + 1;
  @Marked("the lock") protected final Object lock = new Object();
  int[][] grid = new int[3][];
  List<String> names = new ArrayList<>();
  AtomicInteger atomic = new AtomicInteger(5);

  static {
    count = 7;
  }

  {
    number *= 2;
  }

  Kinds() {
    this(1);
  }

  Kinds(int start) {
    super(start);
  }

  @Override public String toString() {
    return super.toString() + 1 + 2.5f + 3.5 + null + true + 'c';
  }

  native int outside();

  public synchronized int expressions(T generic, Object object, int... rest) throws InterruptedException {
    int i = +1, j = -i, k = ~j;
    boolean b = !(i < j) && (i <= j) || (i > j) ^ (i >= j) & (object == null) | (object != lock);
    i = j + k - i * j / k % 3;
    i <<= 2;
    i = i >> 1;
    i >>>= 1L;
    j = i++ + ++i - i-- - --i;
    short s = (short) i;
    s += 70000;
    int[] array = {1, 2, 3};
    array[0] = rest.length > 0 ? rest[0] : array.length;
    int[] copy = array.clone();
    Class<?> c = String.class;
    Integer boxed = i;
    boxed++;
    String text = names.get(0);
    generic.compareTo(generic);
    Inner inner = this.new Inner();
    Runnable task = new Runnable() {
      @Override public void run() {
        number = inner.seen;
      }
    };
    Function<Integer, Integer> twice = n -> n * 2;
    Supplier<String> block = () -> {
      return text;
    };
    Function<String, Integer> length = String::length;
    Supplier<List<String>> maker = ArrayList::new;
    IntFunction<int[]> arrays = int[]::new;
    Supplier<String> parent = super::toString;
    expressions(generic, null, 1, 2);
    expressions(generic, null, array);
    Greeter.super.greet();
    int weight = switch (Colour.RED) {
      case RED -> 1;
      case GREEN -> {
        yield Colour.GREEN.weight();
      }
    };
    if (object instanceof String) return 0;
    if (object instanceof Point p && p.x() > 0) return p.y();
    Concord.assume(Kinds.count > 0);
    return atomic.incrementAndGet();
  }

  void statements(int n) throws Exception {
    class Local {
      int captured = n;
    }
    @Marked int local = new Local().captured;
    while (local > 0) local--;
    do {
      local++;
    } while (local < 10);
    outer:
    for (int i = 0, j = 1; i < n; i++, j--) {
      for (;;) {
        if (i > j) continue outer;
        else break outer;
      }
    }
    for (String name : names) System.out.println(name);
    switch (n) {
      case 1:
      case 2:
        break;
      default:
        ;
    }
    switch ("x") {
      case "a", "b" -> count++;
      default -> throw new IllegalStateException();
    }
    try (AutoCloseable first = () -> {}; first) {
      synchronized (lock) {
        lock.wait();
      }
    } catch (IllegalStateException | NullPointerException problem) {
      throw problem;
    } finally {
      assert n > 0 : "n";
      assert n > 1;
    }
    @SuppressWarnings("unchecked") List<String> unchecked = (List<String>) (Object) names;
  }
}

class Base {
  Base(int start) {}

  public void greet() {}
}

interface Greeter {
  default void greet() {}
}
