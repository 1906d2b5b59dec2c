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

  @Override
  public int get() {
    return value;
  }

  public void set(int to) {
    value = to;
  }
}
