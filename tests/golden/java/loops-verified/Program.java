class Program {
  public static void main(String[] args) {
    int s = 0;
    for (int i = 0; i < 4; i++) s += i;
    assert s == 6;
    int n = 3;
    while (n-- > 0) s++;
    assert s == 9 && n == -1;
    do {
      s--;
    } while (s > 100);
    assert s == 8;
    for (int i = 0, j = 10; i < j; i += 3, j--) s = i * 10 + j;
    assert s == 68;
    int[] a = {3, 4, 5};
    int p = 1;
    for (int x : a) {
      if (x == 4) continue;
      p *= x;
    }
    assert p == 15;
    for (long x : a) p += x;
    assert p == 27;
    for (int x : a) x = 0;
    assert a[0] == 3;
    int k = 0;
    for (;;) {
      if (++k > 5) break;
      if (k % 2 == 0) continue;
      s++;
    }
    assert s == 71 && k == 6;
    k = 0;
    do {
      k++;
      if (k == 2) continue;
      s++;
    } while (k < 4);
    assert s == 74;
    while (true) {
      k--;
      if (k < 0) break;
    }
    assert k == -1;
    int t = 0;
    for (int i = 0; i < 3; i++) {
      int fresh = 0;
      fresh += i;
      t += fresh;
    }
    assert t == 3;
    int[] moving = {1, 2};
    int seen = 0;
    for (int x : moving) {
      moving = new int[] {9, 9};
      seen += x;
    }
    assert seen == 3 && moving[0] == 9;
    for (char c = 'a'; c <= 'c'; c++) seen += c;
    assert seen == 297;
    boolean stop = false;
    int rounds = 0;
    while (!stop && a[rounds] < 5) rounds++;
    assert rounds == 2;
    for (int[] row : new int[][] {{1, 2}, {3}}) for (int x : row) rounds += x;
    assert rounds == 8;
  }
}
