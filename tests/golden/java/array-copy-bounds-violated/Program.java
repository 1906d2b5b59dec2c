class Program {
  public static void main(String[] args) {
    int[] from = {1, 2, 3};
    int[] to = new int[3];
    System.arraycopy(from, 1, to, 0, 3);
  }
}
