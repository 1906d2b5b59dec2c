class Program {
  public static void main(String[] args) {
    int i = 300;
    assert (byte) i == 44;
    i = 200;
    assert (byte) i == -56;
    i = -1;
    assert (char) i == 65535;
    assert (short) i == -1;
    i = 70000;
    assert (short) i == 4464;
    assert (char) i == 4464;
    long l = 4294967299L;
    assert (int) l == 3;
    l = 2147483648L;
    assert (int) l == -2147483648;
    l = -2147483649L;
    assert (int) l == 2147483647;
    assert (byte) l == -1;
    byte b = -1;
    char c = (char) b;
    assert c == 65535;
    short s = (short) c;
    assert s == -1;
    b = (byte) 'é';
    assert b == -23;
    assert (int) (char) (byte) -2 == 65534;
    assert (byte) (short) 128 == -128;
    c = (char) (c + 2);
    assert c == 1;
    int back = (byte) (b + 200);
    assert back == -79;
    long wide = (int) 5000000000L;
    assert wide == 705032704;
  }
}
