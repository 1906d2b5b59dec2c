class Program {
  static int text_1 = 3;
  int var = 1;
  int outer = 2;
  int identity = 3;
  int value = 4;
  static int proc(int proc) {
    int acquire = proc + 1;
    int tid = acquire;
    int none = tid;
    int ghost = none + B.module;
    int t = ghost;
    int t_2 = t++;
    return t_2 + t;
  }
  static class B {
    static int module = 5;
    int havoc;
  }
  int B(int B) {
    int Later = B;
    B b = new B();
    b.havoc = Later + this.var;
    Later l = new Later();
    return b.havoc + l.Later;
  }
  static class Later {
    int Later = 100;
  }
  interface thrown {}
  static int main(int main) {
    int r = main;
    int Program_main = r + 1;
    return Program_main;
  }
  static int \u00e9t\u00e9(int \u00e9) {
    int $ = \u00e9;
    int _$ = $ + 1;
    return _$;
  }
  class Inner {
    int outer = 7;
    int both() {
      return outer + Program.this.outer;
    }
  }
  public static void main(String[] args) {
    assert proc(1) == 15;
    Program p = new Program();
    assert p.B(2) == 103;
    assert main(4) == 5;
    assert \u00e9t\u00e9(1) == 2;
    assert p.new Inner().both() == 9;
    assert p.outer + p.identity + p.value == 9;
    String s = "hello";
    assert s != "world" && text_1 == 3;
  }
}
