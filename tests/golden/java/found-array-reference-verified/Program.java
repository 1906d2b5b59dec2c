class Program {
  interface Maker {
    int[] make(int size);
  }

  public static void main(String[] args) {
    Maker maker = int[]::new;
    assert maker.make(2).length == 2;
  }
}
