// What a name does not mean in Java, it does not mean in a clause, whatever the lowered program calls its own things.
class Program {
  interface Shape {}

  static class Box implements Shape {
    int x;
  }

  static class Q {
    static int s;
  }

  static Integer number = 1;
  static float half = 0.5f;
  static Object o = new Box();

  //@ requires o.x == 0;
  static void unknown(Object o) {}

  //@ requires Program_number == null || Q_s == 0;
  static void lowered() {}

  //@ requires number.value == 1;
  static void boxed() {}

  //@ requires half > 0;
  static void floating() {}

  //@ requires (\exists Shape a; a != null);
  static void quantified() {}

  //@ requires (o as Shape) != null && o instanceof Shapes;
  static void cast() {}

  //@ requires (\forall Box this_; x == 0);
  void captured() {}

  int x;

  //@ requires Q.t == 0 && Program.Q.s == 0;
  static void missing() {}

  public static void main(String[] arguments) {
    Q.s = 0;
    unknown(o);
    lowered();
    boxed();
    floating();
    quantified();
    cast();
    new Program().captured();
    missing();
  }
}
