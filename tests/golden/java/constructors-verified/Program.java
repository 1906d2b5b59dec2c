class Program {
  static class Base {
    int seen;
    int own = 5;
    Base() {
      seen = value();
      own++;
    }
    int value() {
      return 1;
    }
  }
  static class Derived extends Base {
    int x = 7;
    final int y;
    Derived(int y) {
      this.y = y;
    }
    int value() {
      return x * 10 + 3;
    }
  }
  static Leaky last;
  static class Leaky {
    int a;
    int b;
    Leaky() {
      a = 1;
      last = this;
      b = last.a + 1;
      last.a = 9;
    }
  }
  static class Chain {
    int n;
    Chain next;
    Chain(int n) {
      this.n = n;
      if (n > 0) next = new Chain(n - 1);
    }
  }
  static class Ping {
    Pong p;
    Ping(int n) {
      if (n > 0) p = new Pong(n - 1);
    }
  }
  static class Pong {
    Ping p;
    int n;
    Pong(int n) {
      this.n = n;
      if (n > 0) p = new Ping(n - 1);
    }
  }
  static class Many {
    int a, b;
    Many() {
      this(1);
    }
    Many(int a) {
      this(a, a + 1);
      b *= 2;
    }
    Many(int a, int b) {
      this.a = a;
      this.b = b;
      if (a == 5) return;
      this.a++;
    }
  }
  static class Early {
    int v = 3;
    Early(int[] a) {
      a[0] = v;
      a = new int[] {v = 4};
      v += a[0];
    }
  }
  static class Sub extends Many {
    int c;
    Sub(int x) {
      super(x);
      c = a + b;
    }
    Sub() {
      c = 100 + a;
    }
  }
  public static void main(String[] args) {
    Derived d = new Derived(4);
    assert d.seen == 3 && d.x == 7 && d.y == 4 && d.own == 6;
    Leaky l = new Leaky();
    assert l.a == 9 && l.b == 2 && last == l;
    Chain c = new Chain(2);
    assert c.n == 2 && c.next.n == 1 && c.next.next.n == 0 && c.next.next.next == null;
    Ping p = new Ping(3);
    assert p.p.n == 2 && p.p.p.p.n == 0 && p.p.p.p.p == null;
    Many m = new Many();
    assert m.a == 2 && m.b == 4;
    m = new Many(5);
    assert m.a == 5 && m.b == 12;
    int[] a = new int[1];
    Early e = new Early(a);
    assert a[0] == 3 && e.v == 8;
    assert new Sub(5).c == 17 && new Sub().c == 102;
  }
}
