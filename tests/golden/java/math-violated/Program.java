class Program {
  static long twice(int number) { return 2L * number; }

  public static void main(String[] args) {
    int smallest = Integer.MIN_VALUE;
    int calls = 0;
    assert Math.min(3, 4) == 3 && Math.min(-3, 3) == -3;
    assert Math.max(3, 4L) == 4 && Math.max(twice(3), ++calls) == 6 && calls == 1;
    assert Math.abs(-7) == 7 && Math.abs(7L) == 7L && Math.abs(0) == 0;
    assert Math.abs(smallest) > 0;
    assert Math.abs((long) smallest) == 2147483648L;
    assert Math.abs(Long.MIN_VALUE) == Long.MIN_VALUE;
  }
}
