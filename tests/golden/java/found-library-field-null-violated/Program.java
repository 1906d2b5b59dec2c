class Program {
  static java.awt.Point point;

  public static void main(String[] args) {
    int x = point.x;
  }
}
