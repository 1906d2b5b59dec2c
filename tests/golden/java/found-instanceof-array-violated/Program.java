class Program {
  static int zero;

  static Object make() {
    return 1 / zero;
  }

  public static void main(String[] args) {
    boolean is_array = make() instanceof int[];
  }
}
