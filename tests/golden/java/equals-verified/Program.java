class Program {
  static class Key {
    final int k;
    Key(int k) {
      this.k = k;
    }
    @Override
    public boolean equals(Object other) {
      return other instanceof Key o && o.k == k;
    }
    @Override
    public int hashCode() {
      return k;
    }
  }
  public static void main(String[] args) {
    Key a = new Key(1), b = new Key(1), c = new Key(2);
    assert a.equals(b) && !a.equals(c) && a != b && a.hashCode() == 1;
    Object o = a;
    assert o.equals(b) && !o.equals("x") && !o.equals(null);
  }
}
