class Program {
  static int[] a;
  public static void main(String[] args) {
    System.out.println("length " + a.length);
  }
}
