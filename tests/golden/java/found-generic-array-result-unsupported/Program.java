class Program {
  static <T> T[] same(T[] array) {
    return array;
  }

  public static void main(String[] args) {
    String[] texts = same(new String[1]);
    assert texts.length == 1;
  }
}
