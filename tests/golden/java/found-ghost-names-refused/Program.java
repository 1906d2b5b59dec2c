class Program {
  static int x = 1;
  //@ ghost int x = 2;
  //@ ghost Thread holder = null;
  //@ ghost int depth = 0;
  //@ ghost Thread main = null;
  //@ global_invariant x == 1;

  public static void main(String[] arguments) {
    new Program();
  }
}
