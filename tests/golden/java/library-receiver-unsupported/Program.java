class Program {
  static class Key {
    @Override
    public boolean equals(Object other) {
      return true;
    }
  }
  public static void main(String[] args) {
    Object o = new Key();
    assert o.equals("a");
    o = "b";
    boolean same = o.equals("a");
    assert same;
  }
}
