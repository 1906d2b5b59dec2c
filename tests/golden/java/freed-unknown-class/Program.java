import concord.Concord;

class Program {
  interface Shape {}
  static class Circle implements Shape {}

  static <T> void free(T object, Class<T> type) {
    Concord.free(object);
    T again = Concord.reused(type);
  }

  public static void main(String[] args) {
    Shape shape = new Circle();
    Concord.free(shape);
    Concord.free(new Thread());
    free(new Circle(), Circle.class);
  }
}
