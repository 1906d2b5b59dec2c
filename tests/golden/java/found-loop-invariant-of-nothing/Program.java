// Not before a loop: one before another statement, and two inside the loops they are meant for.
class Program {
  static int x;

  public static void main(String[] arguments) {
    //@ loop_invariant false;
    x = 1;
    while (x < 3) {
      //@ loop_invariant x == 1;
      x++;
    }
    for (int i = 0; i < 3; i++) { //@ loop_invariant x == 0;
      x++;
    }
  }
}
