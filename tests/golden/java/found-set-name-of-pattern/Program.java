// `v` is the variable here, not the field.
class Program {
  volatile int x;
  volatile Program v;
  //@ ghost Program g = null;
  //@ global_invariant g == null;

  void f(Object o) {
    if (!(o instanceof Program v)) return;
    //@ set g = v;
    x = 1;
  }

  public static void main(String[] arguments) {
    new Program().f(new Program());
  }
}
