// The type of the ghost is P.K, also where K is another class.
class Program {
  static class Base {
    volatile int v = 1;
  }

  static class P {
    static class K extends Base {
      volatile int v = 2;
    }

    static volatile int z;
    //@ ghost K k = null;
  }

  static class Q extends P {
    static class K {
      volatile int v = 9;
    }

    //@ global_invariant k == null || k.v == 1;
  }

  public static void main(String[] arguments) {
    Base b = new Base();
    b.v = 1;
    Q.K q = new Q.K();
    q.v = 9;
    P.K p = new P.K();
    Q o = new Q();
    //@ set o.k = p;
    P.z = 1;
  }
}
