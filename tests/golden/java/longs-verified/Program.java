class Program {
  static long total;
  long part = 10_000_000_000L;
  static long twice(long x) {
    return x + x;
  }
  public static void main(String[] args) {
    long l = 5;
    l = l * 1_000_000_000_000L + 3;
    assert l == 5000000000003L;
    total = l / 1000;
    assert total == 5000000000L;
    assert total > Integer.MAX_VALUE;
    assert twice(total) == 10000000000L;
    Program p = new Program();
    assert p.part == twice(total);
    p.part %= 7;
    assert p.part == 4;
    long[] a = {1L << 62, -1};
    a[1] += a[0];
    assert a[1] == 4611686018427387903L;
    assert (int) a[1] == -1;
    int i = 3;
    long mixed = i;
    assert mixed == 3 && i == mixed;
    assert twice(i) == 6;
  }
}
