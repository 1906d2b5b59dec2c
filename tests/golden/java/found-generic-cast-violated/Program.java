class Program {
  @SuppressWarnings("unchecked")
  static <T> T as(Object any) {
    return (T) any;
  }

  public static void main(String[] args) {
    Integer number = Program.<Integer>as("x");
  }
}
