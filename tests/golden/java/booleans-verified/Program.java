class Program {
  static int calls;
  static boolean yes() {
    calls++;
    return true;
  }
  static boolean no() {
    calls++;
    return false;
  }
  public static void main(String[] args) {
    assert !(no() && yes());
    assert calls == 1;
    assert yes() || no();
    assert calls == 2;
    assert !(no() & yes());
    assert calls == 4;
    assert yes() | no();
    assert calls == 6;
    assert yes() ^ no();
    assert calls == 8;
    boolean b = no() || no() || yes() || no();
    assert b && calls == 11;
    b = yes() && (no() || yes()) && no();
    assert !b && calls == 15;
    b = no() ? yes() : no();
    assert !b && calls == 17;
    int[] a = null;
    assert a == null || a.length > 0;
    assert !(a != null && a[0] == 1);
    boolean c = b == false;
    assert c;
    assert b != c;
    boolean d = b = true;
    assert d && b;
  }
}
