class Program {
  static Program seen;
  final int value;

  Program(int kind) {
    int chosen = switch (kind) {
      case 1 -> {
        if (kind > 0) {
          seen = this;
        }
        yield seen.value;
      }
      default -> 2;
    };
    value = chosen + 5;
  }

  public static void main(String[] args) {
    Program made = new Program(1);
    assert seen == made && made.value == 7;
  }
}
