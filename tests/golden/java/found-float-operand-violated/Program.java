class Program {
  static int zero;

  static void use(double d) {
  }

  public static void main(String[] args) {
    use(3 / zero);
  }
}
