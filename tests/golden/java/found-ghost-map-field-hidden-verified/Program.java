// What a ghost map has are objects of its type.
class Program {
  static class B {
    int x = 1;
  }

  static class C extends B {
    int x = 2;
  }

  static volatile int z;
  //@ ghost map<int, C> m;
  //@ invariant m[0] == null || m[0].x == 2;

  public static void main(String[] arguments) {
    B b = new B();
    b.x = 1;
    C c = new C();
    Program p = new Program();
    //@ set p.m = p.m[0 := c];
    z = 1;
  }
}
