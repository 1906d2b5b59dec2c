// Fields assigned inside the target of an assignment.
class Program {
  static int[] all = new int[3];
  int i;
  int n;
  int[] own = new int[2];

  Program(boolean twice) {
    own[n++] = 1;
    all[twice ? (i = 2) : 0] = 5;
    all[(twice && (i = 1) > 0) ? 1 : 0] = 7;
  }

  public static void main(String[] arguments) {
    Program p = new Program(false);
    assert p.n == 1 && p.own[0] == 1;
    assert p.i == 1;
  }
}
