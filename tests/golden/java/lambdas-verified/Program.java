import java.util.concurrent.Callable;
import java.util.function.IntBinaryOperator;

class Program {
  interface Fn {
    int apply(int x);
  }
  interface Maker<T> {
    T make();
  }
  int field = 10;
  static int count;
  static int twice(int x) {
    return 2 * x;
  }
  int plus(int x) {
    return x + field;
  }
  Fn adder(int n) {
    return x -> x + n + field;
  }
  static int use(Fn f, int x) {
    return f.apply(f.apply(x));
  }
  static Fn compose(Fn f, Fn g) {
    return x -> g.apply(f.apply(x));
  }
  public static void main(String[] args) throws Exception {
    Fn f = x -> x + 1;
    assert f.apply(3) == 4 && use(f, 1) == 3;
    f = Program::twice;
    assert use(f, 3) == 12;
    Program p = new Program();
    f = p::plus;
    p.field = 20;
    assert f.apply(1) == 21;
    p = new Program();
    assert f.apply(1) == 21;
    assert p.adder(5).apply(1) == 16;
    assert compose(x -> x * 3, Program::twice).apply(2) == 12;
    Runnable r = () -> count++;
    r.run();
    r.run();
    assert count == 2;
    Callable<Integer> c = () -> count + 40;
    int v = c.call();
    assert v == 42;
    IntBinaryOperator op = (a, b) -> {
      if (a > b) return a;
      return b;
    };
    assert op.applyAsInt(3, 9) == 9;
    Maker<Program> maker = () -> new Program();
    assert maker.make().field == 10;
    assert maker.make() != maker.make();
    Maker<Maker<Integer>> deep = () -> () -> v;
    assert deep.make().make() == 42;
    Object o = (Runnable) () -> {};
    assert o instanceof Runnable && !(o instanceof Fn);
  }
}
