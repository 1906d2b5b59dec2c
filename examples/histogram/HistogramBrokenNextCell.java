// Each thread counts its value in the cell for it; several may have the same.
final class HistogramBrokenNextCell {
  private static final int[] cells = new int[10];

  /*@ threads n;
    @ initially (\forall int k; 0 <= k && k < n; 0 <= value[k] && value[k] < 9);
    @ finally (\forall int b; 0 <= b && b < 10;
    @          cells[b] == (\sum int k; 0 <= k && k < n; value[k] == b ? 1 : 0)); */
  static synchronized void count(int value) {
    cells[value == 2 ? 3 : value]++; // BROKEN: the cell behind the right one
  }
}
