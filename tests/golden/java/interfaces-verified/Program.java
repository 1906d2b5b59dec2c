class Program {
  interface Shape {
    int LIMIT = 50;
    int area();
    default int doubled() {
      return area() * 2;
    }
    static int zero() {
      return 0;
    }
  }
  interface Named {
    default int id() {
      return 1;
    }
  }
  interface Other extends Named {
    default int id() {
      return 2 + Named.super.id() * 10;
    }
  }
  static abstract class Basic implements Shape {
    int size;
    Basic(int size) {
      this.size = size;
    }
    abstract int factor();
    public int area() {
      return size * factor();
    }
  }
  static class Square extends Basic implements Named {
    Square(int s) {
      super(s);
    }
    int factor() {
      return size;
    }
  }
  static class Line extends Basic implements Other {
    Line() {
      super(7);
    }
    int factor() {
      return 1;
    }
  }
  static class Unrelated {
    public int area() {
      return 9;
    }
  }
  static class Late extends Unrelated implements Shape {}
  public static void main(String[] args) {
    Shape s = new Square(3);
    assert s.area() == 9 && s.doubled() == 18;
    assert Shape.LIMIT == 50 && Shape.zero() == 0;
    Named n = new Square(1);
    assert n.id() == 1;
    n = new Line();
    assert n.id() == 12;
    s = new Late();
    assert s.area() == 9 && s.doubled() == 18;
    Shape[] all = {new Square(2), new Late(), new Line()};
    int sum = 0;
    for (Shape it : all) sum += it.area();
    assert sum == 20;
    assert s instanceof Unrelated && !(s instanceof Basic);
    Object o = n;
    assert o instanceof Shape && o instanceof Other && !(o instanceof Square);
  }
}
