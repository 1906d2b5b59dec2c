class Program {
  interface Maker<T> {
    T make();
  }
  interface MakerFrom<T> {
    T make(int n);
  }
  int n = 1;
  Program() {}
  Program(int n) {
    this.n = n;
  }
  public static void main(String[] args) {
    Maker<Program> a = Program::new;
    assert a.make().n == 1;
    MakerFrom<Program> b = Program::new;
    assert b.make(7).n == 7;
  }
}
