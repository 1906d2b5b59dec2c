// A text buffer like Java's StringBuffer: when the array is full, its characters move to one of twice the length.
final class TextBufferBrokenUnbounded {
  //@ guarded_by this;
  //@ elems_unwritable_by_env_if[i] holder == tid;
  private char[] value = new char[16];
  private int count; //@ guarded_by this;
  private boolean shared; //@ guarded_by this;
  //@ ghost map<int, int> turn guarded_by this;
  //@ ghost int turns = 0 guarded_by this;
  //@ invariant 0 <= count && count <= value.length && 16 <= value.length;

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

  private static final TextBufferBrokenUnbounded buffer = new TextBufferBrokenUnbounded();

  /*@ threads n;  // BROKEN: there may be more than an array has room for
    @ finally buffer.count == n
    @         && (\forall int k; 0 <= k && k < n; buffer.value[k] == character[buffer.turn[k]]);
    @ check termination; */
  static void run(char character) {
    buffer.append(character);
  }
}
