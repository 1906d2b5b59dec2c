class Program {
  static volatile int x = 3;
  //@ global_invariant (\exists byte k; k > 127);

  public static void main(String[] arguments) {
    x = 1;
  }
}
