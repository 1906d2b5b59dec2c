class Program {
  public static void main(String[] args) {
    if (args.length == 0) return;
    String text = args[0];
  }
}
