// What the finally clause does is not waived with the jumps across it.
class Program {
  static volatile int x;

  static void f() {
    try {
      //@ nowarn assertion "return"
      return;
    } finally {
      assert x == 1;
    }
  }

  static void g() {
    for (int i = 0; i < 2; i++) {
      try {
        //@ nowarn assertion "continue"
        if (i == 0) continue;
        //@ nowarn assertion "break"
        break;
      } finally {
        assert x == i;
      }
    }
  }

  public static void main(String[] arguments) {
    new Thread(() -> f()).start();
    g();
  }
}
