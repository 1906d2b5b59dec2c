/* A block comment, */ // and one to the end of the line
class Statements {
  private final Object lock = new Object();
  enum Light { RED, GREEN }

  void loops(int n, int[] array) {
    outer:
    for (int i = 0, j = n; i < j; i++, j--) {
      while (true) {
        if (i == 3) continue outer;
        break outer;
      }
    }
    for (;;) break;
    for (int each : array) ;
    do n--; while (n > 0);
  }

  int choices(Light light, int n) {
    switch (light) {
      case RED:
        n++;
      case GREEN:
        break;
      default:
    }
    switch (n) {
      case 1, 2 -> n = 0;
      default -> {}
    }
    return switch (n) {
      case 0:
        yield 1;
      default:
        yield 2;
    };
  }

  void trouble(AutoCloseable given) throws Exception {
    try (AutoCloseable own = () -> {}; given) {
      synchronized (lock) {
        lock.wait(1L);
      }
    } catch (IllegalStateException | NullPointerException e) {
      throw e;
    } catch (final RuntimeException e) {
      assert e != null : "none";
    } finally {
      return;
    }
  }

  void locals() {
    final int constant = 4;
    int assigned = constant;
    assigned = 5;
    @Deprecated var inferred = new java.util.ArrayList<String>();
    record Pair(int a, int b) {}
    class Local {
      int captured = constant + inferred.size();
    }
  }
}
