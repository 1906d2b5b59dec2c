class Program {
  public static void main(String[] args) {
    throw null;
  }
}
