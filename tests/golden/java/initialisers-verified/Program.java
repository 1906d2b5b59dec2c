class Program {
  static int trace;
  static int mark(int n) {
    trace = trace * 10 + n;
    return n;
  }
  static class Base {
    int a = mark(1);
    { mark(2); }
    Base() {
      mark(3);
    }
    int b = mark(4);
  }
  static class Derived extends Base {
    int c = mark(5);
    { mark(6); d = 8; }
    int d;
    int e = d + 1;
    int f;
    Derived() {
      super();
      mark(7);
      f = e * 2;
    }
    Derived(int x) {
      this();
      mark(x);
    }
  }
  static class Self {
    int a = 1;
    int b = a++;
    int c = a += 5;
    int d = (b = 9) + b;
    int e = b > 3 ? (c = 4) : 0;
  }
  public static void main(String[] args) {
    Derived d = new Derived();
    assert trace == 1243567;
    assert d.a == 1 && d.b == 4 && d.c == 5 && d.d == 8 && d.e == 9 && d.f == 18;
    trace = 0;
    d = new Derived(9);
    assert trace == 12435679;
    Self s = new Self();
    assert s.a == 7 && s.b == 9 && s.c == 4 && s.d == 18 && s.e == 4;
  }
}
