// A name that is declared could be meant as the variable, or as the index.
class Program {
  static final Object[] locks = {new Object(), new Object()};
  static volatile int i = 7;
  //@ lock_order locks[i] < locks[j] when i < j;

  public static void main(String[] arguments) {
    synchronized (locks[1]) {
      synchronized (locks[0]) {
        i = 1;
      }
    }
  }
}
