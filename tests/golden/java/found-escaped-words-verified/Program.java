// With a backslash they are the words, whatever else has the names.
class Program {
  static int main = 1;

  //@ requires \tid == \main;
  static void f(Thread tid) {
    assert tid == null;
  }

  public static void main(String[] arguments) {
    f(null);
    assert main == 1;
  }
}
