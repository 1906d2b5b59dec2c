// A default method with a contract, and one that is inherited in its place.
public class Program {
  interface I { /*@ modifies; ensures \result > 0; */ default int m() { return 1; } }
  static class B { public int m() { return -1; } }
  static class D extends B implements I { }
  public static void main(String[] a) { I i = new D(); int r = i.m(); assert r > 0; }
}
