class Program {
  static int x;

  //@ requires x == 0; // @ ensures x == 2;
  static void f() {
    x = 1;
  }

  //@ requires x == 1; /*@ ensures x == 2; */
  static void g() {
    x = 1;
  }

  //@ requires x == 1; // what f leaves
  static void h() {
    x = 1;
  }

  //+@ ensures x == 2;
  static void k() {
    x = 1;
  }

  public static void main(String[] arguments) {
    f();
    g();
    h();
    k();
  }
}
