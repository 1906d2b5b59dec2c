class Program {
  static int trace;
  int[] data = {10, 20, 30};
  static int mark(int n) {
    trace = trace * 10 + n;
    return n;
  }
  static int three(int a, int b, int c) {
    return a * 100 + b * 10 + c;
  }
  static int[] array(int[] a) {
    mark(1);
    return a;
  }
  Program self() {
    mark(7);
    return this;
  }
  int method(int x) {
    return x + 1;
  }
  public static void main(String[] args) {
    int i = 0;
    int[] a = new int[4];
    a[i] = i = 2;
    assert a[0] == 2 && i == 2;
    i = 1;
    i = i++ + ++i;
    assert i == 4;
    i = 3;
    int j = i + (i = 5) + i;
    assert j == 13;
    j = (i = 2) * i;
    assert j == 4;
    j = i + i++ * i--;
    assert j == 8 && i == 2;
    assert three(i++, i++, i) == 234;
    assert i == 4;
    assert mark(1) + mark(2) * mark(3) == 7 && trace == 123;
    trace = 0;
    array(a)[mark(2)] = mark(3);
    assert trace == 123 && a[2] == 3;
    trace = 0;
    array(a)[mark(2)] += mark(4);
    assert trace == 124 && a[2] == 7;
    trace = 0;
    int r = new Program().self().method(mark(3));
    assert r == 4 && trace == 73;
    int[] x = {1, 2, 3};
    int[] y = x;
    int k = 1;
    x[k] = (x = new int[] {7, 8, 9})[k = 2];
    assert y[1] == 9 && x[1] == 8;
    int m = 5;
    m = m-- - --m;
    assert m == 2;
    int n = 2;
    n += n++ + ++n;
    assert n == 8;
    a[0] = 1;
    a[1] = 2;
    a[a[0]] = a[0] = 3;
    assert a[1] == 3 && a[0] == 3;
    int s = 1;
    boolean b = s == 1 && s++ == 1 && s++ == 2 || s++ > 100;
    assert b && s == 3;
    Program p = new Program();
    Program q = p;
  }
}
