class Program {
  static volatile int started;
  static volatile boolean seen;

  /*@ abstract thread Once {
        initial node Before;
                node After: assert started == 1;
        Before -> After: <started' == 1>_{started};
      } */

  static class Worker extends Thread {
    //@ abstracted_by Once
    @Override public void run() {
      started = 2;
      assert started == 1;
    }
  }

  public static void main(String[] args) {
    while (true) {
      new Worker().start();
    }
  }
}
