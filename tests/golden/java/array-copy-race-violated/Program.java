class Program {
  static final int[] data = {1, 2, 3};

  public static void main(String[] args) {
    new Thread(() -> { data[2] = 0; }).start();
    int[] copy = data.clone();
    assert copy[0] == 1;
  }
}
