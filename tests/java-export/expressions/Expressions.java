import java.util.List;
import java.util.function.*;

class Expressions<T extends Comparable<T>> {
  static final int LIMIT = 2 + 3;
  int field;
  Integer boxed = 5;
  List<String> names;
  long[] many = {1, 'b', LIMIT};

  Object conversions(byte b, long l, T t) {
    field += l; // narrows
    boxed++;
    long shifted = b << l;
    boolean same = boxed == b, identical = boxed == names.get(0).length(), objects = (Object) boxed == t;
    String text = "é" + b + null + 'c' + 1.5f;
    double d = b / 2 + .5;
    return same ? text : d;
  }

  int calls(Expressions<String> other, int... rest) {
    String name = names.get(0);
    other.calls(null, 1, 2);
    calls(other, new int[] {1});
    this.field = ((other)).field;
    return Math.max(LIMIT, java.lang.Math.abs(-rest.length));
  }

  Object functions() {
    Function<String, Integer> length = String::length;
    Supplier<Object> made = Object::new;
    IntFunction<long[]> arrays = long[]::new;
    Runnable bound = this::functions, parent = super::toString;
    BinaryOperator<Integer> sum = (a, b) -> a + b;
    Runnable block = () -> { field = 1; };
    return new int[2][LIMIT][];
  }

  int choose(Object o, String s) {
    if (!(o instanceof String text)) return o instanceof List ? 1 : 2;
    return switch (s) {
      case "a", "b" -> text.length();
      case "c" -> {
        yield 1;
      }
      default -> throw new IllegalArgumentException(s);
    };
  }
}
