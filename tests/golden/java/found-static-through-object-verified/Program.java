class Program {
  static int s = 3;

  //@ requires o.s == 3;
  static void f(Program o) {
    assert s == 3;
  }

  public static void main(String[] arguments) {
    f(null);
  }
}
