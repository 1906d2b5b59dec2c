class Program {
  static double sum;
  static int[] elements;

  public static void main(String[] args) {
    sum += 6 / elements.length;
  }
}
