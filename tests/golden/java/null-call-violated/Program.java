class Program {
  int value;
  int get() {
    return 3;
  }
  public static void main(String[] args) {
    Program p = new Program();
    assert p.get() == 3;
    p = null;
    p.get();
  }
}
