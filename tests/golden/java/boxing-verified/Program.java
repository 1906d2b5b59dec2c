class Program {
  static Integer field;
  static int id(int x) {
    return x;
  }
  static Integer boxed(Integer x) {
    return x;
  }
  static long wide(Long l) {
    return l + 1;
  }
  public static void main(String[] args) {
    Integer i = 5;
    int x = i + 1;
    assert x == 6;
    i++;
    assert i == 6;
    assert i++ == 6 && i == 7;
    i += 3;
    assert i == 10;
    field = i;
    assert field == 10 && id(field) == 10;
    assert boxed(3) == 3;
    assert wide(4L) == 5;
    Boolean b = true;
    if (b) x = 1;
    assert x == 1 && !(!b);
    while (b) b = false;
    assert b ? false : true;
    Character c = 'a';
    char d = c;
    assert d == 'a' && c + 1 == 98;
    Byte by = 5;
    by++;
    assert by == 6;
    Long l = 5000000000L;
    assert l == 5000000000L && l > i;
    Object o = 42;
    assert o instanceof Integer;
    assert (Integer) o == 42;
    Integer n = null;
    assert n == null;
    int[] a = {1, 2, 3};
    Integer index = 2;
    assert a[index] == 3;
    Integer[] boxes = {1, 2};
    int sum = 0;
    for (int y : boxes) sum += y;
    for (Integer y : a) sum += y;
    assert sum == 9;
    assert i < 11 && i >= 10 && i != 11;
    long widened = i;
    assert widened == 10;
    Short s = (short) 3;
    int shifted = s << i;
    assert shifted == 3072;
    int neg = -i;
    assert neg == -10 && ~i == -11;
    Boolean t = b || i == 10;
    assert t;
    assert t & !b;
    int chosen = t ? i : 0;
    assert chosen == 10;
    Object q = t ? 1 : "s";
    assert q instanceof Integer;
    assert (int) (Integer) q == 1;
  }
}
