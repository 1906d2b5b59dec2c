class Program {
  static final String CONSTANT = "ab";
  static String field = "x";
  public static void main(String[] args) {
    String a = "x", b = "x";
    assert a == b && a == field;
    assert "a" + "b" == CONSTANT;
    String c = "a";
    String d = c + "b";
    assert d != CONSTANT;
    assert d != c + "b";
    assert a != c;
    final String e = "a";
    assert e + "b" == CONSTANT;
    String n = null;
    assert n == null;
    n += a;
    assert n != null && n != a;
    Object o = a;
    assert o == "x";
    assert o instanceof String;
    String same = (String) o;
    assert same == b;
    assert Other.TEXT == a;
    String[] all = {"p", "q", "p"};
    assert all[0] == all[2] && all[0] != all[1];
    String empty = "";
    assert empty == "" && empty != null;
  }
  static class Other {
    static final String TEXT = "x";
  }
}
