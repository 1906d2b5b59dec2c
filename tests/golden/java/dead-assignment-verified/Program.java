class Program {
  static int f(int p, int q) {
    if (false) p++;
    int local = p;
    while (false && q > 0) local = 1;
    return true ? p + local : q++;
  }
  public static void main(String[] args) {
    assert f(3, 4) == 6;
  }
}
