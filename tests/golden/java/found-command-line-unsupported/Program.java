class Program {
  public static void main(String[] args) {
    if (args.length == 0) return;
    assert args[0] == null;
  }
}
