class Program {
  record Pair(int y,int z) {}

  public static void main(String[] arguments) {
    assert new Pair(1,2).z() == 2;
  }
}
