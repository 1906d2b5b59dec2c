class Program {
  static void f(int n) {
    int i = 0;
    while (i < n)
    //@ loop_invariant i <= n;
    {
      i++;
    }
    while (i < n) i++; //@ loop_invariant i <= n;
    while (i < n) i++;
    //@ invariant i <= n;
    while (i < n) i++;
  }

  public static void main(String[] arguments) {
    f(2);
  }
}
