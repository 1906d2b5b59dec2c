// Numbers are decimal: other forms are refused, not read in another way than Java does.
class Program {
  //@ requires n == 010;
  static void octal(int n) {}

  //@ requires n == 0x10;
  static void hexadecimal(int n) {}

  //@ requires n == 0b11;
  static void binary(int n) {}

  //@ requires n == 1_000;
  static void grouped(int n) {}

  //@ requires n == 10L;
  static void large(long n) {}

  //@ requires c == 'a';
  static void character(char c) {}

  public static void main(String[] arguments) {}
}
