// What the interface requires holds then too.
public class Program {
  public interface I<T> { /*@ requires x != null; modifies; ensures \result > 0; */ int m(T x); }
  public static class S { }
  public static class D implements I<S> { public int m(S x) { assert x != null; return 1; } }
}
