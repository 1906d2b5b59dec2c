class Program {
  record Point(int x, int y) {}
  public static void main(String[] args) {
    Point p = new Point(3, 4);
    int code = p.hashCode();
    assert code == new Point(3, 4).hashCode();
    assert p.equals(new Point(3, 4));
  }
}
