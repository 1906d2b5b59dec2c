// A waiver is about its statement, not about what the constructor called there does.
class Program {
  final int n;

  Program(int n) {
    assert n == 1;
    this.n = n;
  }

  public static void main(String[] arguments) {
    //@ nowarn assertion "known"
    Program p = new Program(2);
  }
}
