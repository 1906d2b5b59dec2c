import java.util.function.IntUnaryOperator;

class Program {
  static class Refused extends RuntimeException {}

  static class Base {
    Base(int size) {
      if (size < 0) throw new Refused();
    }

    int value() { return 1; }
  }

  static class Picks {
    final int picked = switch (choice) {
      case 1 -> 10;
      default -> throw new Refused();
    };
  }

  static int choice;

  static int attempt(IntUnaryOperator operator, int given) {
    try {
      return operator.applyAsInt(given);
    } catch (Refused e) {
      return -1;
    }
  }

  public static void main(String[] args) {
    IntUnaryOperator half = n -> switch (n % 2) {
      case 0 -> n / 2;
      default -> throw new Refused();
    };
    assert attempt(half, 6) == 3;
    assert attempt(half, 7) == -1;
    // The constructor of an anonymous class ends as that above it.
    assert attempt(n -> new Base(n) { int value() { return 2; } }.value(), 1) == 2;
    assert attempt(n -> new Base(n) { int value() { return 2; } }.value(), -1) == -1;
    choice = 1;
    assert attempt(n -> new Picks().picked, 0) == 10;
    choice = 2;
    assert attempt(n -> new Picks().picked, 0) == -1;
  }
}
