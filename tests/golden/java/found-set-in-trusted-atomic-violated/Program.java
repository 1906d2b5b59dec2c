// The `set` belongs to a declaration, which is none inside the block.
class Program {
  static volatile int x;
  //@ ghost int g = 0;
  //@ global_invariant g == 0;

  void f() {
    //@ trusted atomic begin
    //@ set g = 1;
    int t = x;
    x = t + 1;
    //@ trusted atomic end
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
