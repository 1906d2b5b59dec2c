class Program {
  static int zero;
  public static void main(String[] args) {
    int z = zero;
    boolean b = z != 0 && 1 / z > 0;
    assert !b;
    boolean c = z != 0 & 1 / z > 0;
  }
}
