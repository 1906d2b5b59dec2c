import java.util.function.*;
class Program {
  int k = 1;
  int bump() { return ++k; }
  static class Base { int v() { return 1; } }
  IntSupplier a() { return () -> new Base() { int w() { return bump(); } int v() { return w() + k; } }.v(); }
  IntSupplier b() { return () -> { class L { int q = 5; int own() { return q + other(); } int other() { return q; } } return new L().own(); }; }
  Supplier<Program> c() { return () -> new Program() { int bump() { return k += 100; } }; }
  IntSupplier d() { return () -> { Program n = new Program() {}; return n.bump() * 10 + bump(); }; }
  static IntSupplier e() { return () -> new Program() { int z() { return bump() + this.k; } }.z(); }
  class Inner { int y() { return Program.this.k; } }
  IntSupplier f() { return () -> { class M extends Inner { int g() { return y() + Program.this.k; } } return new M().g(); }; }
  static IntSupplier g(Program n) { return () -> { class P { IntSupplier h(int z) { return () -> z + n.k + r(); } int r() { return 3; } } return new P().h(4).getAsInt(); }; }
  public static void main(String[] args) {
    Program n = new Program();
    assert n.a().getAsInt() == 4;
    assert n.b().getAsInt() == 10;
    assert n.c().get().bump() == 101;
    assert n.d().getAsInt() == 23;
    assert e().getAsInt() == 4;
    assert n.f().getAsInt() == 6;
    assert g(n).getAsInt() == 10;
  }
}
