// Nothing stands directly behind these, and the statement before them is on another line.
class Program {
  static volatile int x, y;
  //@ ghost int g = 0;

  void f(boolean b, int n) {
    if (b) {
      x = 1;
      //@ set g = 2;
    }
    y = 2;
    if (b) {
      x = 1;
      //@ nowarn assertion "inside";
    }
    assert x == 5;
    if (b) {
      x = 1;
      //@ loop_invariant x >= 0;
    }
    while (x < n) x++;
    switch (n) {
      case 1: x = 1;
        //@ set g = 1;
      case 2: y = 2;
    }
    if (b) x = 1;
    //@ set g = 1;
    else y = 2;
    Runnable r = () -> {
      x = 1;
      //@ set g = 1;
    };
    x = n //@ set g = 1;
      + 1;
  }

  public static void main(String[] arguments) {
    new Program().f(true, 1);
  }
}
