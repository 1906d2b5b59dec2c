class Program {
  static Integer none;

  public static void main(String[] args) {
    double d = none;
  }
}
