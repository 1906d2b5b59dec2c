// An exception comes from a method that is inherited for an interface.
interface I { /*@ modifies; ensures \result > 0; */ int m(); }
class B { public int m() { throw new RuntimeException(); } }
class D extends B implements I { }
public class Program {
  static int x = 0;
  public static void main(String[] a) {
    I i = new D();
    try { i.m(); x = 1; } catch (RuntimeException e) { x = 2; }
    assert x == 1;
  }
}
