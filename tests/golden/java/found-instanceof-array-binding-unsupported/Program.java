class Program {
  static Object any = new Object();

  public static void main(String[] args) {
    if (any instanceof int[] numbers) {
      assert numbers.length == 2;
    }
  }
}
