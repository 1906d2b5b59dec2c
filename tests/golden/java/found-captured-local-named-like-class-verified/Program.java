// In the anonymous class K is the local variable around it.
class Program {
  static class K {
    static volatile int s = 1;
  }

  static class V {
    volatile int s = 2;
  }

  public static void main(String[] arguments) {
    V K = new V();
    Runnable r = new Runnable() {
      //@ requires K.s == 2;
      public void run() {
        assert K.s == 2;
      }
    };
    r.run();
  }
}
