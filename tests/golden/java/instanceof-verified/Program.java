class Program {
  static class A {
    int a = 1;
  }
  static class B extends A {
    int b = 2;
  }
  static class C extends A {
    int c = 3;
  }
  static int look(Object o) {
    if (o instanceof B b) return b.a * 10 + b.b;
    if (o instanceof C c && c.c == 3) return c.c;
    if (!(o instanceof A a)) return -1;
    return a.a;
  }
  static int both(Object o, boolean t) {
    if (t && o instanceof B b && b.b == 2) return b.b + 40;
    return 0;
  }
  public static void main(String[] args) {
    assert look(new B()) == 12 && look(new C()) == 3 && look(new A()) == 1;
    assert look("text") == -1 && look(null) == -1 && look(new Object()) == -1;
    C other = new C();
    other.c = 4;
    assert look(other) == 1;
    assert both(new B(), true) == 42 && both(new B(), false) == 0 && both(other, true) == 0;
    Object o = new B();
    int n = o instanceof B x ? x.b : 0;
    assert n == 2;
    while (!(o instanceof C found)) o = other;
    assert found.c == 4;
    assert !(null instanceof A);
    A a = (A) o;
    C c = (C) a;
    assert c == other;
    B none = (B) null;
    assert none == null;
  }
}
