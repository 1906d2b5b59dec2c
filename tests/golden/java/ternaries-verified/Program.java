class Program {
  int value;
  static int calls;
  static int next() {
    return ++calls;
  }
  public static void main(String[] args) {
    int x = 5;
    int y = x > 3 ? x < 10 ? 1 : 2 : 3;
    assert y == 1;
    y = x < 3 ? next() : next() + 10;
    assert y == 11 && calls == 1;
    Program p = x > 100 ? null : new Program();
    assert p != null;
    p.value = p.value == 0 ? x++ : --x;
    assert p.value == 5 && x == 6;
    long wide = x > 0 ? x : 5L;
    assert wide == 6;
    char c = true ? 'x' : 0;
    assert c == 120;
    int m = x > 0 ? 'b' : x;
    assert m == 98;
    int[] a = {1, 2};
    int r = (x > 0 ? a : null)[1];
    assert r == 2;
    boolean b = x == 6 ? x / 2 == 3 : x / 0 == 1;
    assert b;
    Object o = x > 0 ? p : "text";
    assert o == p;
  }
}
