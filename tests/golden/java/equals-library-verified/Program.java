class Program {
  static class Plain {}

  static class Pair {
    final Object left, right;

    Pair(Object left, Object right) {
      this.left = left;
      this.right = right;
    }

    @Override
    public boolean equals(Object other) {
      if (super.equals(other)) {
        return true;
      }
      return other instanceof Pair it && left.equals(it.left) && right.equals(it.right);
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  public static void main(String[] args) {
    Object one = new Object();
    Object two = new Object();
    assert one.equals(one) && !one.equals(two) && !one.equals(null) && !one.equals("a");
    Plain plain = new Plain();
    assert plain.equals(plain) && !plain.equals(new Plain());
    Integer thousand = 1000;
    Object same = 1000;
    assert thousand.equals(1000) && same.equals(thousand) && !thousand.equals(1000L) && !thousand.equals(null);
    String text = "a";
    assert text.equals("a") && !text.equals(null) && !text.equals(one) && !one.equals(text);
    Pair pair = new Pair(one, 5);
    assert pair.equals(pair) && pair.equals(new Pair(one, 5)) && !pair.equals(new Pair(two, 5));
    assert !pair.equals(new Pair(one, 6)) && !pair.equals(one) && !one.equals(pair);
  }
}
