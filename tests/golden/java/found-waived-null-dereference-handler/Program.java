// A failed check ends the run, waived or not, also where a handler would catch the exception: the report says so.
class Program {
  int f;

  public static void main(String[] arguments) {
    Program p = null;
    try {
      //@ nowarn null-dereference "known"
      p.f = 1;
    } catch (NullPointerException e) {
      assert false;
    }
  }
}
