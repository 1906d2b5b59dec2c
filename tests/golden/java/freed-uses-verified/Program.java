import concord.Concord;

/** To compare, pass on, test and call is not to touch; an object of another class may be touched. */
class Program {
  static class Base {
    int number;
  }
  static class Part extends Base {
    int count;

    Part self() {
      return this;
    }
  }
  static class Other extends Base {}

  public static void main(String[] args) {
    Part part = new Part();
    Base other = new Other();
    Concord.free(part);
    assert part.self() == part && part != null;
    Object any = part;
    assert any instanceof Part;
    other.number = 1;
    synchronized (other) {
      assert other.number == 1;
    }
  }
}
