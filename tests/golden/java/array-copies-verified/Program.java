import java.util.Arrays;

class Program {
  static final int[] shared = {1, 2, 3, 4, 5};

  static void equal(int[] array, int... wanted) {
    assert array.length == wanted.length;
    for (int i = 0; i < wanted.length; i++) assert array[i] == wanted[i];
  }

  public static void main(String[] args) {
    int[] copy = shared.clone();
    copy[0] = 9;
    equal(shared, 1, 2, 3, 4, 5);
    System.arraycopy(copy, 0, copy, 1, 4); // up, in itself
    equal(copy, 9, 9, 2, 3, 4);
    System.arraycopy(copy, 2, copy, 0, 3); // down
    equal(copy, 2, 3, 4, 3, 4);
    System.arraycopy(shared, 4, copy, 0, 1);
    System.arraycopy(shared, 5, copy, 5, 0);
    equal(copy, 5, 3, 4, 3, 4);
    equal(Arrays.copyOf(shared, 2), 1, 2);
    equal(Arrays.copyOf(shared, 6), 1, 2, 3, 4, 5, 0);
    Arrays.fill(copy, 7);
    equal(copy, 7, 7, 7, 7, 7);
    long[] longs = new long[2];
    Arrays.fill(longs, 3);
    assert longs[1] == 3L;
    String[] words = {"a", "b"};
    String[] others = words.clone();
    assert others != words && others[1] == "b";
    int[][] rows = {{1}, {2}};
    int[][] same = rows.clone();
    same[0][0] = 4;
    assert rows[0][0] == 4;
  }
}
