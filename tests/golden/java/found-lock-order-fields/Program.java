class Program {
  final Object a = new Object();
  final Object b = new Object();
  //@ lock_order a < b;

  public static void main(String[] arguments) {
    Program p = new Program();
    synchronized (p.b) {
      synchronized (p.a) {
      }
    }
  }
}
