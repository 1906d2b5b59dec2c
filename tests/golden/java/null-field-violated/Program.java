class Program {
  Program next;
  int value;
  public static void main(String[] args) {
    Program p = new Program();
    assert p.value == 0 && p.next == null;
    p.next.value = 3;
  }
}
