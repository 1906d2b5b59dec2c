class Program {
  static volatile int x;
  volatile int own;

  /*@ abstract thread Twice {
        initial node A;
        A -> A: <own' == 1>_{own};
        A -> B: <x' == 1>_{x};
      } */

  static class Task implements Runnable {
    //@ abstracted_by Twice
    public void run() { x = 1; }
  }

  static class Worker extends Thread {
    //@ abstracted_by Thrice
    @Override public void run() { x = 1; }
  }

  //@ abstracted_by Twice
  static int field;

  public static void main(String[] args) {
    new Thread(new Task()).start();
    //@ abstracted_by Twice
    new Worker().start();
    //@ abstract thread Inside { initial node A; }
    x = 2;
  }
}
