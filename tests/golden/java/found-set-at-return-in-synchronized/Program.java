// The return itself has no step.
class Program {
  //@ ghost int g = 0;

  synchronized void f() {
    //@ set g = 1;
    return;
  }

  public static void main(String[] arguments) {
    new Program().f();
  }
}
