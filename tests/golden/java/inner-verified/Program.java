class Program {
  int field = 5;
  class Inner {
    int own = Program.this.field + 1;
    int field = 100;
    int both() {
      return field + Program.this.field;
    }
    class Deeper {
      int all() {
        Program.this.field++;
        return own + both() + Program.this.field;
      }
    }
  }
  class Second extends Inner {
    int more() {
      return own + Program.this.field;
    }
  }
  Inner make() {
    return new Inner();
  }
  static class Nested {
    static int count;
    int id = ++count;
  }
  int bump() {
    return ++field;
  }
  class Caller {
    int call() {
      return bump() + bump();
    }
  }
  public static void main(String[] args) {
    Program p = new Program();
    Program q = new Program();
    q.field = 50;
    Inner i = p.make();
    assert i.own == 6 && i.both() == 105;
    Inner j = q.new Inner();
    assert j.own == 51 && j.both() == 150;
    Inner.Deeper d = i.new Deeper();
    assert d.all() == 118 && p.field == 6;
    Second s = q.new Second();
    assert s.more() == 101 && s.both() == 150;
    assert new Nested().id == 1 && new Nested().id == 2 && Nested.count == 2;
    assert p.new Caller().call() == 15;
  }
}
