class Program {
  public static void main(String[] args) {
    Object[] from = new Object[1];
    from[0] = "x";
    Runnable[] to = new Runnable[1];
    System.arraycopy(from, 0, to, 0, 1);
  }
}
