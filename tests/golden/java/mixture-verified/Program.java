class Program {
  static <T extends Comparable<T>> int cmp(T[] a) { return a.length; }
  sealed interface Expr permits Num, Add {}
  record Num(int v) implements Expr {}
  record Add(Expr l, Expr r) implements Expr {}
  static int eval(Expr e) {
    if (e instanceof Num n) return n.v();
    else if (e instanceof Add a) return eval(a.l()) + eval(a.r());
    throw new IllegalArgumentException();
  }
  static int f(int... a) { return a.length; }
  static int f(Integer a) { return -1; }
  static long g(long x) { return 1; }
  static long g(Integer x) { return 2; }
  static class Res implements AutoCloseable { static int open; Res() { open++; } public void close() throws Exception { open--; } }
  static int nested() throws Exception {
    try (Res a = new Res()) {
      for (int i = 0; i < 3; i++) {
        try (Res b = new Res()) {
          if (i == 1) continue;
          if (i == 2) return Res.open;
        }
      }
    }
    return -1;
  }
  static int deep(int n) {
    l: {
      try {
        try { if (n == 0) break l; if (n == 1) return 10; if (n == 2) throw new Error(); } finally { n += 100; }
        n++;
      } catch (Error e) { return n; } finally { n += 1000; }
    }
    return n;
  }
  static int sum(int[]... rows) { int s = 0; for (int[] r : rows) for (int x : r) s += x; return s; }
  static synchronized int sync(int x) { try { return x / (x - x + 1); } finally { x = 0; } }
  char c = 'a'; 
  char next() { return c++; }
  public static void main(String[] args) throws Exception {
    assert eval(new Add(new Num(1), new Add(new Num(2), new Num(3)))) == 6;
    assert f(1) == -1 && f(1, 2) == 2 && g(1) == 1;
    assert nested() == 2 && Res.open == 0;
    assert deep(0) == 1100 && deep(1) == 10 && deep(2) == 102 && deep(3) == 1104;
    assert sum(new int[] {1, 2}, new int[] {3}) == 6 && sum() == 0;
    assert sync(4) == 4;
    Program p = new Program();
    char[] cs = {p.next(), p.next(), p.c};
    assert cs[0] == 'a' && cs[2] == 'c';
    int[] a = {1, 2, 3};
    int i = 0;
    a[i++] = a[i] = i = 2;
    assert a[0] == 2 && a[1] == 2 && i == 2;
    int x = 1;
    x = x++ + x++ * --x;
    assert x == 5;
    long l = Integer.MAX_VALUE;
    l += 0.0 == 0 ? 1 : 0;
    assert l == 2147483648L;
    int y = 'a' + (byte) 300;
    assert y == 141;
    final int K; 
    if (y > 0) K = 1; else K = 2;
    assert K == 1;
    StringBuilder sb = null;
    assert sb == null;
    Object[] os = {1, "a", null, new int[0].length};
    assert os.length == 4 && os[2] == null;
    do { if (i++ > 3) break; } while (true);
    assert i == 5;
    var v = new Num(3);
    assert v.v() == 3;
    switch (y) { default: y = 0; case 5: y++; }
    assert y == 1;
    boolean b = false;
    if (b = true) y = 7;
    assert b && y == 7;
    for (int q = 0, r = 10; q != r; q++, --r) y++;
    assert y == 12;
  }
}
