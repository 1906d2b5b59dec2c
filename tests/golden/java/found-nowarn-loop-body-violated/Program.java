// A waiver before a loop is not about what comes behind it.
class Program {
  static int sum;

  static void add(int[] d) {
    //@ nowarn array-bounds "known"
    for (int i = 0; i < 1; i++) sum += d[i];
    sum += d[1];
  }

  public static void main(String[] arguments) {
    add(new int[1]);
  }
}
