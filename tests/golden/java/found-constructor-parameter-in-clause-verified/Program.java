// In the constructor n is the parameter, also where the object escapes before its end.
class Program {
  static int n = 100;
  int s;

  Program(int n) {
    escape();
    int i = 0;
    //@ loop_invariant i <= n && n == 3;
    while (i < n) {
      i++;
    }
    s = i;
  }

  void escape() {}

  public static void main(String[] arguments) {
    Program p = new Program(3);
    assert p.s == 3 && n == 100;
  }
}
