import java.util.concurrent.atomic.AtomicInteger;

class Counting {
  static final AtomicInteger counter = new AtomicInteger();
  static volatile int seen;

  /*@ abstract thread Count {
        initial node Before;
                node After;
        Before -> After: <counter.value' >= 1>_{counter.value};
      } */

  // Nobody else counts, but that is not what the machine says.
  static class Counter extends Thread {
    //@ abstracted_by Count
    @Override
    public void run() {
      int a = counter.get();
      if (a > 5) {
        seen = 1;
      }
      counter.set(a + 1);
    }
  }

  public static void main(String[] args) {
    new Counter().start();
  }
}
