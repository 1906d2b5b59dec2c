class Program {
  public static void main(String[] args) {
    int n = 0;
    int[] empty = new int[n];
    assert empty.length == 0;
    int[] a = new int[n - 1];
  }
}
