// The superclass's part lies in another instance than the object itself.
class Program {
  int v;

  Program(int v) {
    this.v = v;
  }

  class A {
    int g() {
      return v;
    }
  }

  class B extends A {
    B(Program other) {
      other.super();
    }
  }

  public static void main(String[] arguments) {
    B b = new Program(1).new B(new Program(2));
    assert b.g() == 1;
  }
}
