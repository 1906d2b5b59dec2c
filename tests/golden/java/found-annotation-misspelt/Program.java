class Program {
  static int x;

  /**@ requires k > 5; */
  static void f(int k) {
    x = k;
  }

  // @ requires k > 5;
  static void g(int k) {
    x = k;
  }

  /** @param k what to set */
  // @Override
  // @ home
  static void h(int k) {
    x = k;
  }

  public static void main(String[] arguments) {
    f(1);
    g(1);
    h(1);
  }
}
