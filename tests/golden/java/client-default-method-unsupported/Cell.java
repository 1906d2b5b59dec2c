// A client may implement the interface as it likes, and then call what it inherits: named.
interface Halves {
  int get();

  default int half() {
    int seen = get();
    assert seen >= 0;
    return seen / 2;
  }
}

public class Cell implements Halves {
  private volatile int value;

  //@ global_invariant value >= 0;

  @Override
  public int get() {
    return value;
  }

  //@ requires to >= 0;
  public void set(int to) {
    value = to;
  }
}
