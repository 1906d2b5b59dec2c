// Between the head and the body of its method a contract is in its place.
class Program {
  static int s;

  static int one() /*@ ensures \result == 1; */ { return 2; }

  public static void main(String[] arguments) {
    one();
  }
}
