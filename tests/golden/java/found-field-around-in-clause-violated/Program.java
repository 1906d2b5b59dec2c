class Program {
  int x;

  class Inner {
    //@ requires x == 0;
    void f() {
      x = 1;
    }
  }

  public static void main(String[] arguments) {
    Program around = new Program();
    around.x = 4;
    around.new Inner().f();
    assert around.x == 1;
  }
}
