class Program {
  static Object number = 3;

  public static void main(String[] args) {
    long three = (long) number;
  }
}
