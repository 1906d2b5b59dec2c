class Program {
  enum Color { RED }

  public static void main(String[] args) {
    boolean found = true;
    try {
      Color.valueOf("BLUE");
    } catch (IllegalArgumentException none) {
      found = false;
    }
    assert found;
  }
}
