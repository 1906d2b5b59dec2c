// A `set` behind a statement on its line belongs to it, at the end of a block too; before a block to what is in it.
class Program {
  static volatile int x, y;
  //@ ghost int g = 0;
  //@ global_invariant g == 0 || g == x;

  void f(boolean b) {
    if (b) {
      x = 1; //@ set g = 1;
    }
    x = 0; //@ set g = 0;
    if (b)
      //@ set g = 2;
      { x = 2; }
    if (b) { x = 3; } //@ set g = 3;
    //@ nowarn assertion "all of the block"
    {
      y = 1;
      assert y == 2;
    }
  }

  public static void main(String[] arguments) {
    new Program().f(true);
  }
}
