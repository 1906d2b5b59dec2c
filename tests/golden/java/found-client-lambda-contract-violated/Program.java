// A lambda expression has to keep the contract of the interface, whoever calls it.
public class Program {
  public interface I { /*@ requires x > 0; modifies; ensures \result > 0; */ int m(int x); }
  public static I make() { return x -> -1; }
}
