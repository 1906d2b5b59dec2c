class Program {
  static class A {}
  static class B extends A {}
  public static void main(String[] args) {
    A a = new B();
    B b = (B) a;
    assert b == a;
    a = new A();
    b = (B) a;
  }
}
