// So has one whose parameter is narrower.
public class Program {
  public interface I<T> { /*@ modifies; ensures \result > 0; */ int m(T x); }
  public static class S { }
  public static class D implements I<S> { public int m(S x) { return -1; } }
}
