class Program {
  public static void main(String[] args) {
    Boolean truth = Boolean.TRUE;
    assert truth == null;
  }
}
