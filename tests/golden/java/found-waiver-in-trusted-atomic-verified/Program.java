// The waiver belongs to a declaration, which is none inside the block.
class Program {
  static volatile int x;
  int f;

  static void copy(Program from) {
    //@ trusted atomic begin
    //@ nowarn null-dereference "known"
    int t = from.f;
    x = t + 1;
    //@ trusted atomic end
  }

  public static void main(String[] arguments) {
    copy(null);
  }
}
