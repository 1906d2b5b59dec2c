// Below the sealed interface is one that clients can implement.
public class Shapes {
  public sealed interface Shape {
    int area();
  }

  public record Square(int side) implements Shape {
    public int area() {
      return 1;
    }
  }

  public non-sealed interface Other extends Shape {}

  public void measure(Shape shape) {
    if (shape != null) {
      assert shape.area() == 1;
    }
  }
}
