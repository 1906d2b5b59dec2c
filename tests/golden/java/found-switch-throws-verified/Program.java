// A switch expression that throws, in a lambda expression and in an initialiser.
class Program {
  interface F {
    int f(int k);
  }

  static class A {
    int k;
    int x = switch (k) {
      case 1 -> 2;
      default -> throw new RuntimeException();
    };
  }

  static void make() {
    new A();
  }

  public static void main(String[] arguments) {
    F f = k -> switch (k) {
      case 1 -> throw new RuntimeException();
      default -> 0;
    };
    assert f.f(0) == 0;
    boolean thrown = false;
    try {
      make();
    } catch (RuntimeException e) {
      thrown = true;
    }
    assert thrown;
  }
}
