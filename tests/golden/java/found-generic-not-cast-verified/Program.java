class Program {
  static class Box<T> {
    T content;
  }

  @SuppressWarnings("unchecked")
  static void put(Box box, Object content) {
    box.content = content;
  }

  @SuppressWarnings("unchecked")
  static <T> T as(Object any) {
    return (T) any;
  }

  public static void main(String[] args) {
    Box<Integer> box = new Box<>();
    put(box, "x");
    Object content = box.content;
    Program.<Integer>as("x");
    content = Program.<Integer>as("x");
  }
}
