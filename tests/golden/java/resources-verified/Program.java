class Program {
  static int trace;
  static void mark(int n) {
    trace = trace * 10 + n;
  }
  static class Res implements AutoCloseable {
    final int id;
    Res(int id) {
      this.id = id;
      mark(id);
      if (id == 9) throw new IllegalStateException();
    }
    public void close() {
      mark(id + 3);
      if (id == 3) throw new IllegalArgumentException();
    }
  }
  static int plain() {
    try (Res a = new Res(1); Res b = new Res(2)) {
      mark(7);
      return a.id + b.id;
    }
  }
  static int fails(int second) {
    try (Res a = new Res(1); Res b = new Res(second)) {
      mark(7);
      throw new RuntimeException();
    } catch (IllegalStateException e) {
      return 1;
    } catch (IllegalArgumentException e) {
      return 2;
    } catch (RuntimeException e) {
      return 3;
    } finally {
      mark(8);
    }
  }
  static int closeFails() {
    try (Res a = new Res(3)) {
      mark(7);
    } catch (IllegalArgumentException e) {
      return 4;
    }
    return 5;
  }
  public static void main(String[] args) {
    assert plain() == 3 && trace == 12754;
    trace = 0;
    assert fails(2) == 3 && trace == 127548;
    trace = 0;
    assert fails(9) == 1 && trace == 1948;
    trace = 0;
    assert fails(3) == 3 && trace == 137648;
    trace = 0;
    assert closeFails() == 4 && trace == 376;
    trace = 0;
    try (Res none = null) {
      mark(1);
    }
    assert trace == 1;
    Res r = new Res(2);
    try (r) {
      mark(0);
    }
    assert trace == 1205;
  }
}
