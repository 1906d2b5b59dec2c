// Java's annotations may be commented out alone; with something behind them they are read.
class Program {
  static int x;

  //@Test ensures x == 2;
  static void f() {
    x = 1;
  }

  //@Testing
  static void g() {
    x = 1;
  }

  //@Override
  //@SuppressWarnings("unchecked")
  /*@Deprecated */
  static void h() {
    x = 1;
  }

  public static void main(String[] arguments) {
    f();
    g();
    h();
  }
}
