class Program {
  static volatile int x;
  /*@ abstract thread A { initial node B; node C: assert x == 1; B -> C: <x' == 1>_{x}; } */
  static class W extends Thread {
    final int n;
    W(int n) { this.n = n; }
    //@ abstracted_by A
    //@ requires n == 1;
    @Override public void run() { assert n == 1; x = 1; }
  }
  static int fact(int i) { return i <= 0 ? 1 : fact(i - 1); }
  public static void main(String[] args) { fact(2); W w = new W(3); w.start(); }
}
