// `may_block` is about what `synchronized` waits for itself, not about what is acquired inside.
class Program {
  static final Object p = new Object(), q = new Object();
  //@ check deadlock;

  public static void main(String[] arguments) {
    Thread t = new Thread(() -> {
      //@ may_block
      synchronized (p) {
        synchronized (q) { }
      }
    });
    t.start();
    //@ may_block
    synchronized (q) {
      synchronized (p) { }
    }
  }
}
