class Program {
  static final int N = 4;
  volatile int x = 5;
  //@ ghost int g = N;
  //@ global_invariant g == x;

  public static void main(String[] arguments) {
    new Program();
  }
}
