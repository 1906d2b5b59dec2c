class Program {
  static int trace;
  static void mark(int n) {
    trace = trace * 10 + n;
  }
  static class Bad extends Exception {
    final int code;
    Bad(int code) {
      super("bad");
      this.code = code;
    }
  }
  static class Worse extends Bad {
    Worse() {
      super(99);
    }
  }
  static int risky(int n) throws Bad {
    if (n == 0) throw new Bad(7);
    if (n == 1) throw new Worse();
    if (n == 2) throw new IllegalStateException("x");
    return n;
  }
  static int caught(int n) {
    try {
      return risky(n);
    } catch (Worse e) {
      return 1000 + e.code;
    } catch (Bad e) {
      return 100 + e.code;
    } catch (RuntimeException e) {
      return -1;
    }
  }
  static int cleaned(int n) {
    int r = 0;
    try {
      r = risky(n);
      mark(1);
    } catch (Bad e) {
      mark(2);
      r = e.code;
    } finally {
      mark(3);
    }
    mark(4);
    return r;
  }
  @SuppressWarnings("finally")
  static int overrides() {
    try {
      throw new RuntimeException();
    } finally {
      return 5;
    }
  }
  static int keeps() {
    int x = 1;
    try {
      return x;
    } finally {
      x = 2;
    }
  }
  static int nested(int n) throws Bad {
    try {
      try {
        return risky(n);
      } finally {
        mark(1);
      }
    } catch (Worse e) {
      mark(2);
      throw e;
    } finally {
      mark(3);
    }
  }
  static int multi(int n) {
    try {
      risky(n);
    } catch (Worse | IllegalStateException e) {
      return e instanceof Worse ? 1 : 2;
    } catch (Exception e) {
      return 3;
    }
    return 4;
  }
  static void wraps(int n) {
    try {
      risky(n);
    } catch (Bad e) {
      throw new IllegalArgumentException("wrapped", e);
    }
  }
  static int loops() {
    int n = 0;
    for (int i = 0; i < 5; i++) {
      try {
        if (i == 1) continue;
        if (i == 3) break;
        n += 1;
      } finally {
        n += 10;
      }
      n += 100;
    }
    return n;
  }
  static int insideFinally() {
    int n = 0;
    try {
      try {
        return n;
      } finally {
        mark(1);
        if (n == 0) throw new IllegalStateException();
      }
    } catch (IllegalStateException e) {
      return 8;
    }
  }
  @SuppressWarnings("finally")
  static int breaks() {
    int n = 0;
    for (int i = 0; i < 2; i++) {
      try {
        for (;;) {
          n++;
          if (n > 0) return -1;
        }
      } finally {
        break;
      }
    }
    return n;
  }
  static int half() {
    try {
      mark(1);
      throw new Error();
    } catch (Throwable t) {
      mark(2);
      try {
        throw t;
      } catch (Error e) {
        mark(3);
        assert e == t;
      } finally {
        mark(4);
      }
    }
    return trace;
  }
  public static void main(String[] args) {
    assert caught(0) == 107 && caught(1) == 1099 && caught(2) == -1 && caught(3) == 3;
    assert cleaned(5) == 5 && trace == 134;
    trace = 0;
    assert cleaned(0) == 7 && trace == 234;
    trace = 0;
    int r = 0;
    try {
      cleaned(2);
    } catch (IllegalStateException e) {
      r = 1;
    }
    assert r == 1 && trace == 3;
    assert overrides() == 5 && keeps() == 1;
    trace = 0;
    try {
      nested(1);
      r = 9;
    } catch (Bad e) {
      r = e.code;
    }
    assert r == 99 && trace == 123;
    trace = 0;
    try {
      r = nested(4);
    } catch (Bad e) {
      r = -1;
    }
    assert r == 4 && trace == 13;
    assert multi(0) == 3 && multi(1) == 1 && multi(2) == 2 && multi(3) == 4;
    try {
      wraps(0);
      r = 0;
    } catch (IllegalArgumentException e) {
      r = 77;
    }
    assert r == 77;
    assert loops() == 242;
    trace = 0;
    assert insideFinally() == 8 && trace == 1;
    assert breaks() == 1;
    trace = 0;
    assert half() == 1234;
  }
}
