// Program.super.f() runs on the instance around.
class Program extends Base {
  Program(int v) {
    super(v);
  }

  class Inner extends Base {
    Inner() {
      super(7);
    }

    int g() {
      return Program.super.f();
    }
  }

  public static void main(String[] arguments) {
    assert new Program(5).new Inner().g() == 5;
  }
}

class Base {
  int v;

  Base(int v) {
    this.v = v;
  }

  int f() {
    return v;
  }
}
