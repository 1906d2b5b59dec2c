class Program {
  static class Part {
    int asked;

    public int hashCode() {
      asked++;
      return 1;
    }
  }

  record Whole(int number, String text) {
  }

  public static void main(String[] args) {
    Part part = new Part();
    new Whole(1, "x").hashCode();
    assert part.asked == 0;
  }
}
