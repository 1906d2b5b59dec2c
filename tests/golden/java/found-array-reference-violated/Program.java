class Program {
  interface Maker {
    int[] make(int size);
  }

  public static void main(String[] args) {
    Maker maker = int[]::new;
    maker.make(-1);
  }
}
