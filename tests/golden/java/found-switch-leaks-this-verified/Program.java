// `this` is seen before the constructor is done.
class Program {
  static Program seen;
  int k;
  int y = switch (k) {
    case 1 -> 2;
    default -> {
      if (k == 0) {
        seen = this;
      }
      yield 3;
    }
  };

  public static void main(String[] arguments) {
    Program p = new Program();
    assert p.y == 3 && seen == p;
  }
}
