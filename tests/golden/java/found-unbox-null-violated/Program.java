class Program {
  static Object number;

  public static void main(String[] args) {
    int three = (int) number;
  }
}
