class Program {
  public static void main(String[] args) {
    int[] a = {1, 2};
    int i = 1;
    assert a[i] == 2;
    i++;
    a[i] = 3;
  }
}
