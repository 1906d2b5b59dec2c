// The same of a lambda expression.
public class Program {
  public interface J { int m(int x); }
  public interface I extends J { /*@ requires x > 0; modifies; ensures \result > 0; */ int m(int x); }
  public static J make() { I i = x -> { assert x > 0; return x; }; return i; }
}
