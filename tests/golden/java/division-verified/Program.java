class Program {
  public static void main(String[] args) {
    int a = 7, b = -7, c = 2, d = -2;
    assert a / c == 3 && a % c == 1;
    assert b / c == -3 && b % c == -1;
    assert a / d == -3 && a % d == 1;
    assert b / d == 3 && b % d == -1;
    long l = -7L, m = 3L;
    assert l / m == -2 && l % m == -1;
    char ch = 10;
    assert ch / 3 == 3 && ch % 3 == 1 && -ch % 3 == -1;
    byte by = -128;
    assert by / -1 == 128;
    assert (byte) (by / -1) == -128;
  }
}
