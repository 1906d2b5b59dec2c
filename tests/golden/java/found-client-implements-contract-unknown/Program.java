// What clients implement is not known to keep a contract.
public class Program {
  public interface I { /*@ modifies; ensures \result > 0; */ int m(); }
  public static class D implements I { public int m() { return 1; } }
  public static class E implements I { public int m() { return 2; } }
  public int use(I i) { if (i == null) return 1; int r = i.m(); assert r > 0; return r; }
}
