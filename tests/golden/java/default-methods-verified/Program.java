class Program {
  interface Greets {
    default int greet() {
      return 1 + own();
    }
    int own();
  }
  static class A implements Greets {
    public int own() {
      return 10;
    }
  }
  static class B implements Greets {
    public int own() {
      return 20;
    }
  }
  static class C extends B {
    public int own() {
      return 30;
    }
  }
  public static void main(String[] args) {
    Greets g = new A();
    assert g.greet() == 11;
    g = new B();
    assert g.greet() == 21;
    g = new C();
    assert g.greet() == 31;
    Greets h = () -> 5;
    assert h.greet() == 6;
    assert new B().greet() == 21;
  }
}
