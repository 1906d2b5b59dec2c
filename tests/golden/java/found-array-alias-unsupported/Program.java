class Program {
  static void fill(Object[] all) {
    if (all != null && all.length > 0) all[0] = "x";
  }

  public static void main(String[] args) {
    String[] texts = new String[1];
    fill(texts);
    assert texts[0] == null;
  }
}
