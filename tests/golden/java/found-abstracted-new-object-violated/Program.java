class Program {
  static class Box { volatile int v; Box(int v) { this.v = v; } }
  static volatile Box cur = new Box(0);
  static volatile Box other;
  /*@ abstract thread A { initial node B; node C; B -> C: <cur' != null>_{cur}; } */
  /*@ global_invariant cur != null && cur.v == 0; */
  static class W extends Thread {
    //@ abstracted_by A
    @Override public void run() { Box o = other; if (o != null) cur = o; }
  }
  public static void main(String[] args) { other = new Box(3); new W().start(); }
}
