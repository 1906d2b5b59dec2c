class Program {
  public static void main(String[] args) {
    int a = 0b1100, b = 0b1010;
    assert (a & b) == 8 && (a | b) == 14 && (a ^ b) == 6 && ~a == -13;
    int m = -1, n = Integer.MIN_VALUE;
    assert (m & n) == n && (m ^ n) == Integer.MAX_VALUE && (n | 1) == -2147483647;
    long l = 0xFFFFFFFF00000000L;
    assert (l & m) == l;
    assert (l | 5) == -4294967291L;
    assert (l ^ l) == 0 && ~l == 4294967295L;
    byte x = (byte) 0xF0, y = 0x3C;
    assert (x & y) == 48 && (x | y) == -4 && (x ^ y) == -52 && (x & 0xff) == 240;
    char c = 'a';
    assert (c & ~32) == 'A' && (c ^ 32) == 'A';
    boolean t = true, f = false;
    assert (t & !f) && (t | f) && (t ^ f) && !(t ^ t) && t != f;
  }
}
