class Program {
  static class Version implements Comparable<Version> {
    final int number;

    Version(int number) {
      this.number = number;
    }

    public int compareTo(Version other) {
      return number - other.number;
    }
  }

  static <T extends Comparable<T>> T last(T a, T b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  public static void main(String[] args) {
    Version last = last(new Version(1), new Version(2));
    assert last != null;
    String text = last("a", null);
  }
}
