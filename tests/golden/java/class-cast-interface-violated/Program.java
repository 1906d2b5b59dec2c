class Program {
  interface I {}
  static class A implements I {}
  static class B {}
  public static void main(String[] args) {
    Object o = new A();
    I i = (I) o;
    assert i == o;
    o = new B();
    i = (I) o;
  }
}
