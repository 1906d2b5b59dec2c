// The invariant holds whenever the condition is about to be evaluated.
class Program {
  public static void main(String[] arguments) {
    int i = 0;
    //@ loop_invariant i <= 5;
    do {
      i++;
    } while (i < 5);
    assert i == 5;
  }
}
