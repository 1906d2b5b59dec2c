class Program {
  static int k = 5;
  int x;
  //@ ghost int g = 0;

  void f() {
    int k = 1;
    Runnable r = () -> {
      //@ set g = k;
      x = 2;
    };
    r.run();
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    p.f();
    assert p.x == 2;
  }
}
