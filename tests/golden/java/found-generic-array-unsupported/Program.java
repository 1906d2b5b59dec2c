class Program {
  static class Stack<T extends Number> {
    final T[] elements;

    @SuppressWarnings("unchecked")
    Stack() {
      elements = (T[]) new Object[2];
    }
  }

  public static void main(String[] args) {
    new Stack<Integer>();
  }
}
