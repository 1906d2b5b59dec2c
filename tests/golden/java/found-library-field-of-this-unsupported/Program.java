class Program {
  static class Near extends java.awt.Point {
    final int twice;

    Near() {
      this.x = 3;
      twice = 2 * this.x;
    }
  }

  public static void main(String[] args) {
    assert new Near().twice == 0;
  }
}
