class Program {
  interface I {
    //@ ghost int g = 0;
    //@ global_invariant g == 0;
    void f();
  }

  static class A implements I {
    int x;

    public void f() {
      x = 1;
    }
  }

  public static void main(String[] arguments) {
    I i = new A();
    i.f();
  }
}
