import java.util.function.Function;

class Program {
  static int twice(int n) {
    return 2 * n;
  }

  public static void main(String[] args) {
    Function<Integer, Integer> f = Program::twice;
    f.apply(null);
  }
}
