class Program {
  enum Op { ADD, SUB, NEG }
  static int eval(Op op, int a, int b) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case NEG -> {
        int t = -a;
        yield t;
      }
    };
  }
  static int size(int n) {
    int r = switch (n) {
      case 0, 1 -> 10;
      case 2 -> {
        if (n > 5) yield 0;
        for (int i = 0; ; i++) {
          if (i == 3) yield i;
        }
      }
      default -> n * 2;
    };
    return r;
  }
  static int old(int n) {
    return switch (n) {
      case 1:
        n++;
      case 2:
        yield n * 10;
      default:
        yield -1;
    };
  }
  static int count;
  public static void main(String[] args) {
    assert eval(Op.ADD, 2, 3) == 5 && eval(Op.SUB, 2, 3) == -1 && eval(Op.NEG, 2, 3) == -2;
    assert size(0) == 10 && size(1) == 10 && size(2) == 3 && size(9) == 18;
    assert old(1) == 20 && old(2) == 20 && old(3) == -1;
    switch (3) {
      case 1, 2 -> count = 1;
      case 3 -> {
        count = 3;
        if (count == 3) break;
        count = 4;
      }
      default -> throw new IllegalStateException();
    }
    assert count == 3;
    long mixed = switch (count) {
      case 3 -> 'a';
      default -> 5L;
    };
    assert mixed == 97;
    int x = 1;
    int sum = x + switch (x) { case 1 -> x = 5; default -> 0; } + x;
    assert sum == 11;
    int nested = switch (x) {
      case 5 -> switch (count) {
        case 3 -> 35;
        default -> 50;
      };
      default -> 0;
    };
    assert nested == 35;
    int thrown;
    try {
      thrown = switch (x) {
        case 5 -> throw new RuntimeException();
        default -> 1;
      };
    } catch (RuntimeException e) {
      thrown = 2;
    }
    assert thrown == 2;
  }
}
