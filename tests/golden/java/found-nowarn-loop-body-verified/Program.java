// A waiver before a loop is about its body too.
class Program {
  static int sum;

  static void add(int[] d) {
    //@ nowarn array-bounds "known"
    for (int i = 0; i < 2; i++) sum += d[i];
  }

  public static void main(String[] arguments) {
    add(new int[1]);
  }
}
