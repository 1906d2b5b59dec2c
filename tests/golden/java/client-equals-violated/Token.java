public final class Token {
  public void check(Object other) {
    if (other != null) {
      boolean first = other.equals(this);
      assert first == other.equals(this);
    }
  }
}
