// In a lambda expression and in a class inside a method, names mean what they mean in Java: the local variable k.
class Program {
  static int k = 5;
  int x;
  //@ ghost int g = 0;
  //@ global_invariant g == 0 || g == 5;

  void f() {
    int k = 1;
    Runnable r = () -> {
      //@ set g = k;
      x = k;
    };
    r.run();
    Runnable s = new Runnable() {
      public void run() {
        //@ set g = k;
        x = k;
      }
    };
    s.run();
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    p.f();
    assert p.x == 1;
  }
}
