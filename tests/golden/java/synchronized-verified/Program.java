class Program {
  int n;
  static int total;
  final Object lock = new Object();
  synchronized int add(int x) {
    if (x < 0) throw new IllegalArgumentException();
    n += x;
    return n;
  }
  static synchronized void count() {
    total++;
    again();
  }
  static synchronized void again() {
    total++;
  }
  int block(int x) {
    synchronized (lock) {
      synchronized (this) {
        if (x == 1) return n;
        if (x == 2) throw new IllegalStateException();
        n += add(1);
      }
    }
    return -n;
  }
  int loop() {
    int k = 0;
    for (int i = 0; i < 3; i++) {
      synchronized (lock) {
        if (i == 1) continue;
        k += 10;
        if (i == 2) break;
      }
      k++;
    }
    return k;
  }
  public static void main(String[] args) throws InterruptedException {
    Program p = new Program();
    assert p.add(2) == 2;
    try {
      p.add(-1);
      assert false;
    } catch (IllegalArgumentException e) {
      total = 100;
    }
    count();
    assert total == 102;
    assert p.block(1) == 2;
    assert p.block(0) == -5;
    int r = 0;
    try {
      p.block(2);
    } catch (IllegalStateException e) {
      r = 1;
    }
    assert r == 1 && p.loop() == 21;
    synchronized (Program.class) {
      total++;
    }
    Thread t = new Thread(() -> {
      p.add(1);
      synchronized (p.lock) {
        p.n += 100;
      }
      count();
    });
    t.start();
    t.join();
    assert p.n == 106 && total == 105;
  }
}
