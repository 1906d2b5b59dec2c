class Program {
  public static void main(String[] arguments) {
    java.lang.constant.Constable a = 1, b = 1;
    assert a != b;
  }
}
