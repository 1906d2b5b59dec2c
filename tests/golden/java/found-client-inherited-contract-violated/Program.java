// So has a method that a class inherits from one that knows nothing of the interface.
public class Program {
  public interface I { /*@ modifies; ensures \result > 0; */ int m(int x); }
  private static class B { public int m(int x) { return -1; } }
  private static class D extends B implements I { }
  public static I make() { return new D(); }
}
