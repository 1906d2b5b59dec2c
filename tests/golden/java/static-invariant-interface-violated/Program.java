class Program {
  static volatile int x = 1;

  interface Said {
    //@ invariant x == 1;
    void nothing();
  }

  public static void main(String[] arguments) {
    x = 2;
  }
}
