// Locals of blocks that are over do not hide fields: the invariants speak of the static variables.
class Program {
  static int x = 5;
  static int i = 0;

  static class Box {
    int v;

    Box(int x) {
      v = x;
    }
  }

  public static void main(String[] arguments) {
    {
      int x = 0;
      assert x == 0;
    }
    for (int i = 0; i < 2; i++) {
    }
    assert new Box(7).v == 7;
    //@ loop_invariant x == 5 && i <= 3;
    while (i < 3) {
      i = i + 1;
    }
    assert i == 3;
  }
}
