// The invariant holds on entry too.
class Program {
  public static void main(String[] arguments) {
    int i = 0;
    //@ loop_invariant i >= 1;
    do {
      i++;
    } while (i < 5);
  }
}
