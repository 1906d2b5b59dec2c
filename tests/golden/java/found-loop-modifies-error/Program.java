// The loop changes more than it says.
class Program {
  static int x;
  static int y;

  static void m(int n) {
    //@ loop_modifies x;
    for (int i = 0; i < n; i++) {
      y = 1;
    }
  }

  public static void main(String[] args) {
    m(3);
  }
}
