// Classes inside a lambda expression that has no `this`.
class Program {
  static class Q {
    int f(int q) {
      return q;
    }
  }

  public static void main(String[] arguments) {
    Runnable r = () -> {
      class Local extends Q {
        int twice(int q) {
          return f(q) + f(q);
        }
      }
      Q q = new Q() {
        int f(int q) {
          return q + 1;
        }
      };
      assert q.f(1) == 2;
      assert new Local().twice(2) == 4;
    };
    r.run();
  }
}
