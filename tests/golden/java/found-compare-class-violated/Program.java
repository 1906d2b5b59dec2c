class Program {
  static class Version implements Comparable<Version> {
    public int compareTo(Version other) {
      return 0;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  public static void main(String[] args) {
    Comparable any = new Version();
    any.compareTo(new Version());
    any = "x";
    any.compareTo(3);
  }
}
