class Program {
  public static void main(String[] args) {
    int n = 0;
    outer:
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        if (j == 2) continue outer;
        if (i == 2) break outer;
        n += 10 * i + j;
      }
    }
    assert n == 22;
    int w = 0;
    again:
    while (w < 5) {
      w++;
      int k = 0;
      while (true) {
        k++;
        if (k > w) continue again;
        if (w == 4) break again;
      }
    }
    assert w == 4;
    int d = 0;
    round:
    do {
      d++;
      for (int x : new int[] {1, 2, 3}) {
        if (x == 2) continue round;
        n++;
      }
    } while (d < 3);
    assert n == 25;
    block: {
      if (n == 25) break block;
      n = 0;
    }
    assert n == 25;
    first:
    for (int x : new int[] {5, 6, 7}) {
      for (; ; ) {
        if (x == 6) break first;
        n += x;
        continue first;
      }
    }
    assert n == 30;
    test:
    if (n > 0) {
      if (n == 30) break test;
      n = -1;
    }
    assert n == 30;
    a:
    b:
    for (int i = 0; i < 2; i++) {
      if (i == 1) break a;
      continue b;
    }
    int q = 0;
    out:
    for (int i = 0; ; i++) {
      switch (i) {
        case 0:
          continue;
        case 1:
          q++;
          break;
        case 2:
          q += 10;
          continue out;
        default:
          break out;
      }
      q += 100;
    }
    assert q == 111;
  }
}
