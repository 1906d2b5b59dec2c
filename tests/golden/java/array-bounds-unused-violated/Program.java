class Program {
  public static void main(String[] args) {
    int[] a = {1, 2};
    int i = -1;
    System.out.println(a[i]);
  }
}
