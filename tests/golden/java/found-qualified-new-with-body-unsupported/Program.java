class Program {
  int v;

  Program(int v) {
    this.v = v;
  }

  class A {
    int k;

    A(int k) {
      this.k = k;
    }

    int g() {
      return v * 10 + k;
    }
  }

  static int make(Program around) {
    return around.new A(3) {}.g();
  }

  public static void main(String[] arguments) {
    assert make(new Program(2)) == 23;
  }
}
