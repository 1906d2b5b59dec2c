class Program {
  static final Object p = new Object(), q = new Object();
  //@ check deadlock;

  public static void main(String[] arguments) {
    Thread t = new Thread(() -> {
      synchronized (p) {
        //@ may_block
        synchronized (q) { }
      }
    });
    t.start();
    synchronized (q) {
      //@ may_block
      synchronized (p) { }
    }
  }
}
