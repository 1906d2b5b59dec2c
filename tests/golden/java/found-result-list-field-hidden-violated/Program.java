// The list is one of A.next; the hidden B.next is always null.
class Program {
  static class B {
    B next;
  }

  static class A extends B {
    A next;
  }

  //@ ensures \list(\result, next);
  static A make() {
    A a = new A();
    a.next = a;
    return a;
  }

  public static void main(String[] arguments) {
    B b = new B();
    b.next = null;
    A a = make();
    assert ((B) a).next == null;
  }
}
