// What a constructor requires is checked where it is called, with the names of its own class.
class Program {
  static int n = 1;

  static class A {
    static int n = 2;
    int x;

    //@ requires given == n;
    A(int given) {
      x = given;
    }
  }

  public static void main(String[] arguments) {
    new A(1);
    assert n == 1;
  }
}
