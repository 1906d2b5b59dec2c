public final class Token {
  public void check(Token other) {
    if (other != null) {
      boolean first = other.equals(this);
      assert first == other.equals(this);
    }
  }
}
