class Program {
  int f = 1;
  static int s = 2;
  public static void main(String[] args) {
    int a = 5;
    int b = a;
    int c = b;
    c++;
    assert a == 5 && b == 5 && c == 6;
    Program p = new Program();
    Program q = p;
    q.f = 9;
    assert p.f == 9 && p == q;
    int d;
    int e = s;
    d = e;
    assert e == 2 && d == 2;
    int g = p.f;
    int h = g;
    assert g == 9 && h == 9;
    long l = a;
    l = l + 1;
    int k = a;
    k = a;
    assert l == 6 && k == 5 && a == 5;
  }
}
