public class Program {
  static class A {}

  static class B {}

  static class Box<T> {
    private T value;

    @SuppressWarnings("unchecked")
    void put(Object o) {
      value = (T) o;
    }

    T get() {
      return value;
    }
  }

  public static void main(String[] args) {
    Box<A> box = new Box<>();
    box.put(new B());
    A a = box.get();
    assert a != null;
  }
}
