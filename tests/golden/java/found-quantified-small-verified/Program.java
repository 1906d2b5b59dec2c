// The small types have their values, and no others.
class Program {
  static volatile int x = 3;
  //@ global_invariant (\forall byte k; -128 <= k && k <= 127);
  //@ global_invariant !(\exists char c; c < 0 || c > 65535);
  //@ global_invariant (\forall short a, b; a <= b + 65535);

  public static void main(String[] arguments) {
    x = 1;
  }
}
