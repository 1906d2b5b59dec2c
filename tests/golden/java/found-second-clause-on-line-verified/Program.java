// Both clauses of the line count.
class Program {
  static int x;

  //@ requires x == 0; //@ ensures x == 1;
  static void f() {
    x = 1;
  }

  public static void main(String[] arguments) {
    f();
  }
}
