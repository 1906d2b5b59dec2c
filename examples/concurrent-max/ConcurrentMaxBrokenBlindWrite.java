import java.util.concurrent.atomic.AtomicInteger;

// The greatest value that was offered, without locks: whoever sees a smaller one tries to replace it, again and again.
final class ConcurrentMaxBrokenBlindWrite {
  private static final AtomicInteger greatest = new AtomicInteger();

  /*@ threads n;
    @ finally (\forall int k; 0 <= k && k < n; greatest.value >= offer[k]);
    @ finally greatest.value == 0 || (\exists int k; 0 <= k && k < n; greatest.value == offer[k]); */
  static void bid(int offer) {
    int seen = greatest.get();
    if (seen < offer) greatest.set(offer); // BROKEN: somebody may have offered more meanwhile
  }
}
