class Program {
  static volatile int x, y;
  //@ ghost int g = 0;
  //@ global_invariant g == x && x == y;

  void f(int k) {
    //@ trusted atomic begin
    int t = x, u = y;
    if (k > 0) {
      x = t + 1;
    } else {
      x = u + 1;
    }
    //@ set g = g + 1;
    y = u + 1;
    //@ trusted atomic end
    switch (k) {
      case 1:
        //@ trusted atomic begin
        x = 5;
        //@ set g = 5;
        y = 5;
        //@ trusted atomic end
    }
  }

  public static void main(String[] arguments) {
    new Program().f(1);
  }
}
