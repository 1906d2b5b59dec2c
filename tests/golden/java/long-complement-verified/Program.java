class Program {
  static long field = 5;
  static long method(long x) {
    return ~x;
  }
  public static void main(String[] args) {
    long a = ~field;
    assert a == -6;
    long b = field >>> a;
    assert b == 0;
    field = ~Long.MIN_VALUE ^ a;
    assert method(field) == 9223372036854775802L;
    b = ~field >>> (field - field);
    assert b == 9223372036854775802L;
    int i = (int) field;
    i = ~i;
    assert i == -6;
  }
}
