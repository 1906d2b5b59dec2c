// `continue` goes to the condition, which reads what others write; `break` leaves without it.
class Program {
  static volatile int limit = 5;

  static int count(int n) {
    int i = 0;
    int skipped = 0;
    //@ loop_invariant 0 <= skipped && skipped <= i && i <= n;
    do {
      if (i == n) break;
      i++;
      if (i % 2 == 0) continue;
      skipped++;
    } while (i < limit);
    assert skipped <= i && i <= n;
    return i;
  }

  public static void main(String[] arguments) {
    Thread t = new Thread(() -> limit = 3);
    t.start();
    count(7);
  }
}
