class Program {
  static class First {
    static int number = Second.number + 1;
  }

  static class Second {
    static int number = 1;

    static int next() {
      return First.number + 1;
    }
  }

  public static void main(String[] args) {
    assert Second.next() == 3;
  }
}
