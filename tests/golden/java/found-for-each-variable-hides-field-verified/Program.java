// Before the loop, where its clauses stand, v is the field.
class Program {
  int v = 7;

  int sum(int[] values) {
    int sum = 0;
    //@ loop_invariant v == 7;
    for (int v : values) {
      sum += v;
    }
    return sum;
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    p.sum(new int[] {1, 2});
  }
}
