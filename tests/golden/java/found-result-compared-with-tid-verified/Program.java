class Program {
  //@ ensures \result == tid && \result != null;
  static Thread me() {
    return Thread.currentThread();
  }

  public static void main(String[] arguments) {
    me();
  }
}
