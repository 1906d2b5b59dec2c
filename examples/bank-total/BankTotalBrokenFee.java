// Transfers between accounts leave the total as it was.
final class BankTotalBrokenFee {
  private static final int[] balance = new int[10];

  /*@ threads n;
    @ initially (\forall int k; 0 <= k && k < n; 0 <= from[k] && from[k] < 10 && 0 <= to[k] && to[k] < 10);
    @ finally (\sum int a; 0 <= a && a < 10; balance[a]) == 0;
    @ check termination; */
  static synchronized void transfer(int from, int to, int amount) {
    balance[from] -= amount;
    balance[to] += amount - 1; // BROKEN: the bank keeps one
  }
}
