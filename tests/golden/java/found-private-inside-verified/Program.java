// A private member is not inherited: in a class inside, it is that of the instance around.
class Program {
  private int x = 1;

  private int read() {
    return x;
  }

  class Inner extends Program {
    int start;

    Inner() {
      start = x;
    }

    int get() {
      return x;
    }

    int call() {
      return read();
    }

    java.util.function.Supplier<Integer> later() {
      return () -> x;
    }

    void set() {
      x = 9;
    }
  }

  int anonymous() {
    return new Program() {
      int get() {
        return x;
      }
    }.get();
  }

  public static void main(String[] arguments) {
    Program around = new Program();
    around.x = 5;
    Inner inner = around.new Inner();
    assert inner.start == 5;
    assert inner.get() == 5;
    assert inner.call() == 5;
    assert inner.later().get() == 5;
    assert around.anonymous() == 5;
    inner.set();
    assert around.x == 9 && ((Program) inner).x == 1;
  }
}
