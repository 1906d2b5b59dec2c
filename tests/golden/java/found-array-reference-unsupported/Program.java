import java.util.function.IntFunction;

class Program {
  public static void main(String[] args) {
    IntFunction<int[]> maker = int[]::new;
    assert maker.apply(2).length == 2;
  }
}
