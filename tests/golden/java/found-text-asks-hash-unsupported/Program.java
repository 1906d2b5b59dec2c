class Program {
  static class Base {
    int asked;

    public int hashCode() {
      asked++;
      return 1;
    }
  }

  static class Derived extends Base {
  }

  static class Other {
    public String toString() {
      return "";
    }
  }

  public static void main(String[] args) {
    Derived derived = new Derived();
    Object any = derived;
    if (derived.asked > 0) any = new Other();
    any.toString();
    assert derived.asked == 0;
  }
}
