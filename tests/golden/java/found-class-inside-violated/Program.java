// A local class lies in an instance of exactly the class around it, a member in the nearest that has it.
class Program {
  int v;

  Program(int v) {
    this.v = v;
  }

  private class Part {
    int get() {
      return v;
    }
  }

  class Inner extends Program {
    Inner() {
      super(9);
    }

    int part() {
      return new Part().get();
    }

    int own() {
      return super.v;
    }
  }

  int local() {
    class Local {
      int get() {
        return v;
      }
    }
    return new Program(8) {
      int made() {
        return new Local().get();
      }
    }.made();
  }

  public static void main(String[] arguments) {
    Program around = new Program(1);
    Inner inner = around.new Inner();
    assert inner.part() == 9;
    assert inner.own() == 9;
    assert around.local() == 8;
  }
}
