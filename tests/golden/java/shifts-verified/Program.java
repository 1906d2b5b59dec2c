class Program {
  public static void main(String[] args) {
    int one = 1, minus = -1, n = 33;
    assert one << n == 2;
    assert one << -1 == -2147483648;
    assert minus << 31 == -2147483648;
    assert one << 32 == 1;
    assert minus >> 31 == -1;
    assert minus >>> 31 == 1;
    assert minus >>> 28 == 15;
    assert minus >>> 0 == -1;
    assert minus >>> 32 == -1;
    assert minus >>> n == 2147483647;
    int neg = -5;
    assert neg >> 1 == -3;
    assert neg >>> 1 == 2147483645;
    assert neg << 1 == -10;
    assert 1 << neg == 134217728;
    long l = 1L, lm = -1L;
    assert l << n == 8589934592L;
    assert l << 64 == 1;
    assert l << -1 == -9223372036854775808L;
    assert lm >> 63 == -1;
    assert lm >>> 63 == 1;
    assert lm >>> 1 == 9223372036854775807L;
    assert lm >>> 64 == -1;
    assert lm >>> 0 == -1L;
    assert lm >>> 32 == 4294967295L;
    assert -8L >>> n == 2147483647L;
    int byLong = one << 35L;
    assert byLong == 8;
    byte b = -1;
    assert b >>> 4 == 268435455;
    assert (byte) (b >>> 4) == -1;
    char c = 65535;
    assert c >> 8 == 255 && c << 16 == -65536;
    short s = -2;
    assert s >> 1 == -1;
    s >>>= 30;
    assert s == 3;
  }
}
