class Program {
  static volatile W last; 
  /*@ abstract thread A { initial node B; node C: assert last == null; B -> C: <true>_{last}; } */
  static class W extends Thread {
    //@ abstracted_by A
    @Override public void run() { last = this; }
  }
  public static void main(String[] args) { new W().start(); }
}
