class Program {
  static int x = Helper.y + 1;
  public static void main(String[] args) {
    assert x == 1;
  }
}
class Helper {
  static int y = compute();
  static int compute() {
    return 30;
  }
}
