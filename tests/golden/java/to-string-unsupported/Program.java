class Program {
  int calls;
  @Override
  public String toString() {
    calls++;
    return "p";
  }
  public static void main(String[] args) {
    Program p = new Program();
    String s = "it is " + p;
    assert p.calls == 0;
  }
}
