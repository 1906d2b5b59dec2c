class Program {
  static int sum(int... all) {
    int s = 0;
    for (int x : all) s += x;
    return s;
  }
  static int count(String first, Object... rest) {
    return rest == null ? -1 : rest.length;
  }
  int n;
  Program(int... xs) {
    n = xs.length;
  }
  public static void main(String[] args) {
    assert sum() == 0;
    assert sum(1) == 1;
    assert sum(1, 2, 3) == 6;
    assert sum(new int[] {4, 5}) == 9;
    assert count("a") == 0;
    assert count("a", "b", 3, null) == 3;
    byte b = 3;
    assert sum(b, 'a') == 100;
    int i = 1;
    assert sum(i++, i++, i) == 6;
    assert new Program().n == 0 && new Program(1, 2).n == 2;
  }
}
