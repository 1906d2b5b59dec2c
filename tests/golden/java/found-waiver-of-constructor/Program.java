abstract class Program {
  final int n;

  //@ nowarn assertion "known"
  Program(int n) {
    assert n == 1;
    this.n = n;
  }

  //@ nowarn assertion "known"
  abstract void f();

  public static void main(String[] arguments) { }
}
