// Before a label, or behind it: it is the loop's.
class Program {
  public static void main(String[] arguments) {
    int i = 0;
    //@ loop_invariant i <= 3;
    outer:
    inner:
    while (i < 3) {
      i = i + 1;
    }
    last:
    //@ loop_invariant i <= 6;
    while (i < 6) {
      i = i + 1;
    }
    assert i == 6;
  }
}
