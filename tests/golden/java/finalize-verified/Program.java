// That finalize never runs is an assumption.
class Program {
  @Override
  protected void finalize() {
    assert false;
  }

  public static void main(String[] arguments) {
    assert new Program() != null;
  }
}
