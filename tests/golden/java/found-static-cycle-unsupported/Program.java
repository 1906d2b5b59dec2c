class Program {
  static class First {
    static int number = Second.number + 1;
  }

  static class Second {
    static int number = First.number + 1;
  }

  public static void main(String[] args) {
    int number = Second.number;
    assert number == 1;
  }
}
