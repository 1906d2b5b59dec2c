class Program {
  enum E {
    P, Q;

    final int number;

    E() {
      number = ordinal();
    }
  }

  public static void main(String[] arguments) {
    assert E.Q.number == 0;
  }
}
