class Program {
  static Object number = 3, truth = true;

  public static void main(String[] args) {
    int three = (int) number;
    assert three == 3 && (boolean) truth;
  }
}
