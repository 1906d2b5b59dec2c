class Program {
  public static void main(String[] args) {
    byte b = 100;
    byte c = 100;
    int sum = b + c;
    assert sum == 200;
    short s = 30000;
    assert s + s == 60000;
    char ch = 'A';
    assert ch + 1 == 66;
    long l = 1L << 40;
    int i = 7;
    assert i + l == 1099511627783L;
    assert i * l == 7696581394432L;
    assert b * l == 109951162777600L;
    assert (b + c) / 3 == 66;
    assert -b == -100;
    assert +ch == 65;
    assert ~b == -101;
    int shifted = b << 4;
    assert shifted == 1600;
    final int limit = 5;
    byte fits = limit;
    assert fits == 5;
    long widened = ch;
    assert widened == 65L;
    assert 'a' + 'b' == 195;
    int chosen = i > 3 ? b : ch;
    assert chosen == 100;
  }
}
