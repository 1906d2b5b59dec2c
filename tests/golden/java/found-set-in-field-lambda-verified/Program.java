class Program {
  int x;
  //@ ghost int g = 0;
  //@ global_invariant g == x;
  Runnable r = () -> {
    //@ set g = 1;
    x = 1;
  };

  public static void main(String[] arguments) {
    Program p = new Program();
    p.r.run();
    assert p.x == 1;
  }
}
