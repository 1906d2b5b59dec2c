// K is the class that is nearest, as everywhere.
class Program {
  static class P {
    static class K {
      int v = 1;
    }
  }

  static class Q {
    static class K extends P.K {
      int v = 2;
    }

    //@ requires (o as K).v == 2;
    static void f(Object o) {
      assert ((K) o).v == 2;
    }
  }

  public static void main(String[] arguments) {
    P.K p = new P.K();
    p.v = 1;
    Q.f(new Q.K());
  }
}
