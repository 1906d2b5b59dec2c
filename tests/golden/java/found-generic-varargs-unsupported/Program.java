class Program {
  @SafeVarargs
  static <T> int count(T... all) {
    return all.length;
  }

  public static void main(String[] args) {
    assert count("a", "b") == 2;
  }
}
