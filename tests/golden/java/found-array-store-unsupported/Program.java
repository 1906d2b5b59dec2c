class Program {
  public static void main(String[] args) {
    Object[] all = new Runnable[1];
    all[0] = "x";
  }
}
