class Program {
  static volatile int x;
  //@ ghost int g = 0;

  void f() {
    //@ set g = 1;
    int a = x, b = x;
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
