class Program {
  static int zero;
  public static void main(String[] args) {
    int x = 4;
    int z = zero;
    System.out.println("rest " + x % z);
  }
}
