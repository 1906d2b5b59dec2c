class Program {
  enum Kind { ONE, TWO }

  static int number(String word) {
    switch (word) {
      case "one": return 1;
      case "two":
      case "pair": return 2;
      default: return 0;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    final String pair = "pa" + "ir"; // a constant: the same literal
    assert number("one") == 1 && number("two") == 2 && number(pair) == 2 && number("three") == 0;
    int length = switch (pair) {
      case "one", "two" -> 3;
      case "pair" -> 4;
      default -> 0;
    };
    assert length == 4;
    Thread other = new Thread(() -> { assert number("two") == 2; });
    other.start();
    assert number("one") == 1;
    other.join();
  }
}
