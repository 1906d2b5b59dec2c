// The invariant holds whenever the condition is about to be evaluated: i is 5 when that happens last.
class Program {
  public static void main(String[] arguments) {
    int i = 0;
    //@ loop_invariant i <= 4;
    do {
      i++;
    } while (i < 5);
    assert i == 5;
  }
}
