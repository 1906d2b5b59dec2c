// Whether two boxes of one value are one object is not known, wherever they were made.
class Program {
  Object x;

  static void set(Program p) {
    p.x = 7;
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    Program q = new Program();
    set(p);
    set(q);
    assert p.x != q.x;
  }
}
