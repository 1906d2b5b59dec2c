class Program {
  static int[] to;

  public static void main(String[] args) {
    int[] from = {1, 2, 3};
    System.arraycopy(from, 0, to, 0, 0);
  }
}
