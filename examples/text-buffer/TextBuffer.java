// A text buffer like Java's StringBuffer: when the array is full, its characters move to one of twice the length.
final class TextBuffer {
  private char[] value = new char[16];
  private int count;
  private boolean shared;
  //@ ghost map<int, int> turn;
  //@ ghost int turns = 0;

  synchronized void append(char c) {
    int more = count + 1;
    if (more > value.length) expandCapacity(more);
    value[count] = c;
    count = more; //@ set turn[turns] = \index; set turns = turns + 1;
  }

  private void expandCapacity(int least) {
    int length = (value.length + 1) * 2;
    if (length < 0) {
      length = Integer.MAX_VALUE;
    } else if (least > length) {
      length = least;
    }
    char[] longer = new char[length];
    System.arraycopy(value, 0, longer, 0, count);
    value = longer;
    shared = false;
  }

  private static final TextBuffer buffer = new TextBuffer();

  /*@ threads n;
    @ initially n <= 2147483647;  // the longest array
    @ finally buffer.count == n
    @         && (\forall int k; 0 <= k && k < n; buffer.value[k] == character[buffer.turn[k]]);
    @ check termination; */
  static void run(char character) {
    buffer.append(character);
  }
}
