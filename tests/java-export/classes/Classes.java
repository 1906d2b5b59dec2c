package shop;

import java.util.Comparator;

@interface Guarded {
  String value() default "";
}

/** Documented { with a brace. */
public abstract class Classes<T> extends Base implements Named, Comparator<T> {
  @Guarded("this.lock") protected volatile int guarded = 1;
  @Guarded private static final String TEXT = "a" + 1;
  int first = 1, second[] = {2}, third;

  static { System.out.println(TEXT); }
  { guarded = 2; }

  protected Classes() { this(1, "x"); }
  Classes(int a, String... rest) { super(a); }

  @Override public int compare(T a, T b) { return super.hashCode(); }
  abstract void step() throws java.io.IOException;
  native long outside(T[] items);
  String defaulted() { return Named.super.shout(); }

  class Inner {
    class Deeper { int n = guarded + Classes.this.guarded; }
    Deeper deeper = this.new Deeper();
  }

  static class Nested extends Classes<String>.Inner {
    Nested(Classes<String> outer) { outer.super(); }
  }

  enum Kind implements Named {
    PLAIN, FANCY(3) { @Override public String name2() { return "f"; } };
    final int weight;
    Kind() { this(1); }
    Kind(int weight) { this.weight = weight; }
    public String name2() { return name(); }
  }

  record Point(int x, @Deprecated double... y) implements Named {
    static int made;
    Point { made++; }
    public int x() { return x; }
    public String name2() { return "p"; }
  }

  Object anonymous(int n) {
    return new Base(n) {
      int twice = 2 * n;
    };
  }
}

class Base {
  Base(int n) {}
  public String name2() { return ""; }
}

interface Named {
  String name2();
  default String shout() { return name2(); }
}

sealed interface Shape permits Shape.Circle, Open {
  record Circle(int radius) implements Shape {}
}

non-sealed interface Open extends Shape {}

class Blocks {
  static final Object made;
  static {
    class InInitialiser {}
    made = new InInitialiser();
  }

  void take(@Guarded("a") int parameter, java.util.function.IntConsumer consumer) {
    for (@Guarded("b") int each : new int[0]) consumer.accept(each);
    consumer = (@Guarded("c") int given) -> {};
  }
}
