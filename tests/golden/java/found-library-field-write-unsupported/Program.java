class Program {
  static java.awt.Point point;

  public static void main(String[] args) {
    point.x = 3;
  }
}
