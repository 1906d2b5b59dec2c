// Nothing but the clause asks who a thread is.
class Program {
  volatile Thread t;
  //@ global_invariant t == null || holder == t;

  public static void main(String[] arguments) {
    Program p = new Program();
    p.t = new Thread();
    synchronized (p) {
      p.t = null;
    }
  }
}
