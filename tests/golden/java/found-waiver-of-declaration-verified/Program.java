// A waiver before or behind a declaration is about all of its variables.
class Program {
  int f;

  static void g(Program p, Program q) {
    //@ nowarn null-dereference "first"
    int a = p.f, b = q.f;
  }

  static void h(Program p, Program q) {
    int a = p.f, b = q.f; //@ nowarn null-dereference "second"
  }

  public static void main(String[] arguments) {
    if (arguments.length == 0) {
      g(new Program(), null);
    } else {
      h(null, new Program());
    }
  }
}
