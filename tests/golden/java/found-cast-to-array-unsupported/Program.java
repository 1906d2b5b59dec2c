class Program {
  static Object text = "x";

  public static void main(String[] args) {
    int[] numbers = (int[]) text;
  }
}
