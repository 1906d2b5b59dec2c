class Program {
  int number;

  public static void main(String[] args) {
    int number = ((Program) null).number;
  }
}
