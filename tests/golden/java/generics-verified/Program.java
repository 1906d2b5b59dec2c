class Program {
  static class Box<T> {
    private T value;
    Box(T value) {
      this.value = value;
    }
    T get() {
      return value;
    }
    void set(T v) {
      value = v;
    }
    <U> Box<U> with(U u) {
      return new Box<>(u);
    }
  }
  interface Sized {
    int size();
  }
  static class Thing implements Sized, Comparable<Thing> {
    int n;
    Thing(int n) {
      this.n = n;
    }
    public int size() {
      return n;
    }
    public int compareTo(Thing other) {
      return n - other.n;
    }
  }
  static <T extends Sized> int total(Box<T> a, Box<T> b) {
    return a.get().size() + b.get().size();
  }
  static <T extends Comparable<T>> T max(T a, T b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
  static <T> T first(T a, T b) {
    return a;
  }
  interface Fn<A, B> {
    B apply(A a);
  }
  static class Inc implements Fn<Integer, Integer> {
    public Integer apply(Integer x) {
      return x + 1;
    }
  }
  static <A, B> Box<B> map(Box<A> box, Fn<A, B> f) {
    return new Box<>(f.apply(box.get()));
  }
  static class Stack<T> {
    Node<T> top;
    static class Node<T> {
      T item;
      Node<T> next;
    }
    void push(T t) {
      Node<T> n = new Node<>();
      n.item = t;
      n.next = top;
      top = n;
    }
    T pop() {
      T t = top.item;
      top = top.next;
      return t;
    }
  }
  public static void main(String[] args) {
    Box<Integer> b = new Box<>(4);
    int x = b.get() + 1;
    assert x == 5;
    b.set(9);
    assert b.get() == 9;
    Box<String> s = b.with("t");
    assert s.get() == "t";
    assert total(new Box<>(new Thing(2)), new Box<>(new Thing(3))) == 5;
    Thing big = new Thing(8);
    assert max(big, new Thing(3)) == big && max(new Thing(1), big).n == 8;
    assert first("a", "b") == "a";
    Box<Integer> mapped = map(b, new Inc());
    assert mapped.get() == 10;
    assert map(b, y -> y * 2).get() == 18;
    Stack<Thing> st = new Stack<>();
    st.push(big);
    st.push(new Thing(1));
    assert st.pop().n == 1 && st.pop().size() == 8 && st.top == null;
  }
}
