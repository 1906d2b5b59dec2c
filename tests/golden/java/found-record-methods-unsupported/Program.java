class Program {
  static class Part {
    int asked;

    public int hashCode() {
      asked++;
      return 1;
    }
  }

  record Whole(Part part) {
  }

  public static void main(String[] args) {
    Part part = new Part();
    new Whole(part).hashCode();
    assert part.asked == 0;
  }
}
