class Program {
  static int two = 2;
  static double sum;

  static void use(double d) {
  }

  public static void main(String[] args) {
    use(3 / two);
    sum += 3 / two;
    sum++;
    double half = -(1.0 * (3 / two));
    System.out.println("half " + half);
  }
}
