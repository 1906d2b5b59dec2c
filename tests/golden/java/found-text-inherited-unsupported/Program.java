class Program {
  static class Base {
    int asked;

    public String toString() {
      asked++;
      return "";
    }
  }

  static class Derived extends Base {
  }

  public static void main(String[] args) {
    Derived derived = new Derived();
    String text = "derived " + derived;
    assert derived.asked == 0;
  }
}
