// One class implements the interface.
public class Program {
  interface I { /*@ modifies; ensures \result > 0; */ int m(); }
  static class D implements I { public int m() { return 1; } }
  public static void main(String[] a) { I i = new D(); int r = i.m(); assert r > 0; }
}
