class Program {
  public static void main(String[] args) {
    int i = 0;
    int[] a = new int[4];
    a[i] = i = 2;
    assert a[2] == 2;
  }
}
