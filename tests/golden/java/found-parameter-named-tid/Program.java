class Program {
  static Thread none;

  //@ requires tid != null && \tid != null && none == null;
  static void f(Thread tid) {}

  //@ requires tid == main && tid == \main;
  static void g(Thread main) {}

  public static void main(String[] arguments) {
    f(null);
    g(null);
  }
}
