import java.util.*;
import java.util.function.*;
class Program {
  interface Base { int f(); }
  interface Sub extends Base { int f(); default int g() { return f() + 1; } }
  static int call(Base b) { return b.f(); }
  class In extends Program {
    int own() { return Program.this.k + k; }
  }
  int k = 1;
  static abstract class Shape {
    static int made;
    Shape() { made++; init(); }
    void init() {}
    static final Shape NONE = new Shape() { void init() { made += 10; } };
  }
  static int twice(Supplier<Integer> s) { return s.get() + s.get(); }
  static class Over { int v() { return 1; } }
  static class Under extends Over { int v() { return 2; } int viaRef() { IntSupplier s = super::v; return s.getAsInt() * 10 + this.v(); } }
  public static void main(String[] args) {
    Sub s = () -> 4;
    assert call(s) == 4 && s.g() == 5;
    Program p = new Program();
    In i = p.new In();
    p.k = 5;
    assert i.own() == 6;
    assert Shape.made == 11;
    int n = 3;
    class L { int v = n; Supplier<Integer> sup() { return () -> v + n; } }
    assert new L().sup().get() == 6;
    Supplier<L> made = () -> new L();
    assert made.get().v == 3;
    int[] c = {0};
    assert twice(() -> ++c[0]) == 3;
    Over o = new Under();
    IntSupplier is = o::v;
    assert is.getAsInt() == 2;
    assert new Under().viaRef() == 12;
    Function<Integer, Integer> inc = x -> x + 1;
    assert inc.apply(4) == 5;
    BiFunction<Integer, Integer, Integer> add = (a, b) -> a * b;
    assert add.apply(4, 6) == 24;
    Predicate<String> isNull = x -> x == null;
    assert isNull.test(null) && !isNull.test("a");
    Runnable[] rs = new Runnable[2];
    for (int j = 0; j < 2; j++) { int q = j; rs[j] = () -> c[0] += q + 5; }
    for (Runnable r : rs) r.run();
    assert c[0] == 13;
    UnaryOperator<Integer> u = x -> -x;
    assert u.apply(3) == -3;
    ToIntFunction<Program> get = x -> x.k;
    assert get.applyAsInt(p) == 5;
    new Program() { void hi() { assert k == 1; k = n; } }.hi();
    int res = new Object() { int sq(int x) { return x * x; } }.sq(4);
    assert res == 16;
  }
}
