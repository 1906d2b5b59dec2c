// The `set` belongs to the read of x, while the monitor is still held.
class Program {
  int x;
  //@ ghost int g = 0;
  //@ global_invariant g == 1 ==> holder == null;

  synchronized int get() {
    //@ set g = 1;
    return x;
  }

  public static void main(String[] arguments) {
    new Program().get();
  }
}
