class Program {
  public static void main(String[] arguments) {
    Object it = new RuntimeException();
    assert it instanceof java.io.Serializable;
  }
}
