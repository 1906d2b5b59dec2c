// Clients cannot implement a sealed interface whose classes are all here.
public class Shapes {
  public sealed interface Shape {
    int area();
  }

  public record Square(int side) implements Shape {
    public int area() {
      return 1;
    }
  }

  private static final class Hidden implements Shape {
    public int area() {
      return 2;
    }
  }

  public Shape hidden() {
    return new Hidden();
  }

  public void measure(Shape shape) {
    if (shape != null) {
      assert shape.area() == 1;
    }
  }
}
