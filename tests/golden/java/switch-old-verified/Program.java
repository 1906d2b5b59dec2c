class Program {
  enum Colour { RED, GREEN, BLUE }
  static int f(int x) {
    int r = 0;
    switch (x) {
      case 1:
        r += 1;
      case 2:
        r += 10;
        break;
      case 3:
      case 4:
        r += 100;
        break;
      default:
        r = -1;
      case 7:
        r += 1000;
        if (x == 8) break;
        r += 10000;
    }
    return r;
  }
  static int g(Colour c) {
    switch (c) {
      case RED:
        return 1;
      case BLUE:
        return 3;
      default:
        return 0;
    }
  }
  static int h(char c) {
    switch (c) {
      case 'a': {
        int t = 5;
        return t;
      }
      case 'b':
        int t;
        t = 6;
        return t;
      case 'c':
        t = 7;
        return t;
    }
    return -1;
  }
  public static void main(String[] args) {
    assert f(1) == 11 && f(2) == 10 && f(3) == 100 && f(4) == 100;
    assert f(5) == 10999 && f(7) == 11000 && f(8) == 999;
    assert g(Colour.RED) == 1 && g(Colour.GREEN) == 0 && g(Colour.BLUE) == 3;
    assert h('a') == 5 && h('b') == 6 && h('c') == 7 && h('d') == -1;
    int n = 0;
    for (int i = 0; i < 5; i++) {
      switch (i) {
        case 1:
          continue;
        case 3:
          n += 100;
          break;
      }
      n++;
    }
    assert n == 104;
    switch (n) {
    }
    byte b = 2;
    switch (b) {
      case 2: n = 0;
    }
    assert n == 0;
    Integer boxed = 5;
    switch (boxed) {
      case 5: n = 5;
    }
    assert n == 5;
    final int k = 9;
    switch (n + 4) {
      case k: n = 1; break;
      case k + 1: n = 2;
    }
    assert n == 1;
    int x = 3;
    switch (x++) {
      case 3: x += 10; break;
      case 4: x += 20;
    }
    assert x == 14;
  }
}
