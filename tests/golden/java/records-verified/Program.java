class Program {
  record Point(int x, int y) {
    static int made;
    Point {
      if (x < 0) x = 0;
      made++;
    }
    int sum() {
      return x + y;
    }
    Point(int both) {
      this(both, both);
    }
  }
  record Plain(long a, Plain next) {}
  record Custom(int v) {
    public int v() {
      return v + 100;
    }
  }
  public static void main(String[] args) {
    Point p = new Point(3, 4);
    assert p.x() == 3 && p.y == 4 && p.sum() == 7;
    assert new Point(-5, 1).x() == 0;
    assert new Point(6).sum() == 12;
    assert Point.made == 3;
    Plain a = new Plain(1L << 40, null);
    Plain b = new Plain(2, a);
    assert b.next().a() == 1099511627776L && b.next().next() == null;
    assert a != new Plain(1L << 40, null);
    assert new Custom(1).v() == 101;
  }
}
