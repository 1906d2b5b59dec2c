import java.util.function.Function;

class Program {
  public static void main(String[] args) {
    Function<String, Integer> length =
        String::length;
    assert length.apply("x") == 1;
  }
}
