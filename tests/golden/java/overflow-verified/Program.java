class Program {
  static int min = Integer.MIN_VALUE;
  static long lmin = Long.MIN_VALUE;
  public static void main(String[] args) {
    int max = Integer.MAX_VALUE;
    assert max + 1 == min;
    assert min - 1 == max;
    assert max * 2 == -2;
    assert max * max == 1;
    assert -min == min;
    int one = -1;
    assert min / one == min;
    assert min % one == 0;
    assert min * one == min;
    long lmax = Long.MAX_VALUE;
    assert lmax + 1 == lmin;
    assert lmin - 1 == lmax;
    assert lmax * 2 == -2;
    assert lmax * lmax == 1;
    assert -lmin == lmin;
    long lone = -1;
    assert lmin / lone == lmin;
    assert lmin % lone == 0;
    assert lmin * lone == lmin;
    int big = 46341;
    assert big * big == -2147479015;
    assert (long) big * big == 2147488281L;
    long mixed = max + one + 2;
    assert mixed == -2147483648L;
    assert max + 1L == 2147483648L;
  }
}
