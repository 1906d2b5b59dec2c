class Program {
  int field = 3;
  interface Source {
    int get();
  }
  int run(int parameter) {
    int local = parameter * 2;
    class Adder implements Source {
      int own = local + 1;
      public int get() {
        return own + local + parameter + field;
      }
      Adder other() {
        return new Adder();
      }
    }
    class More extends Adder {
      public int get() {
        return super.get() + 1000;
      }
    }
    Source a = new Source() {
      int calls;
      public int get() {
        calls++;
        field++;
        return local + calls;
      }
    };
    assert a.get() == local + 1 && a.get() == local + 2;
    return new Adder().get() * 10000 + new More().get() + new Adder().other().get();
  }
  static Source counter(int start) {
    int[] n = {start};
    return new Source() {
      public int get() {
        return n[0]++;
      }
    };
  }
  static abstract class Base {
    final int x;
    Base(int x) {
      this.x = x;
    }
    abstract int f();
  }
  public static void main(String[] args) {
    Program p = new Program();
    assert p.run(1) == 111022;
    assert p.field == 5;
    Source s = counter(7);
    assert s.get() == 7 && s.get() == 8;
    Source t = counter(0);
    assert t.get() == 0 && s.get() == 9;
    int k = 4;
    Base b = new Base(k + 1) {
      int f() {
        return x * k;
      }
    };
    assert b.f() == 20;
  }
}
