// BROKEN: nothing is said of where a worker works, so that the abstract worker never goes wrong.
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The Bluetooth driver: one thread unloads it while workers process data, any number of them. No worker may work once `stopped`
 * is set.
 */
class BluetoothBrokenMissingAssertion {
  static final AtomicInteger pendingIO = new AtomicInteger(1); // one for the driver itself, one for each worker
  static volatile boolean stoppingFlag; // the unloader asks everybody to go
  static volatile boolean stoppingEvent; // nobody is left
  static volatile boolean stopped; // the resources are gone

  /*@ abstract thread Unload {
        initial node Before;
                node Flagged;
                node LastOne;
                node Waiting;
                node Alone;
                node Stopped;
        Before -> Flagged:  <stoppingFlag'>_{stoppingFlag};
        Flagged -> LastOne: <pendingIO.value' == pendingIO.value - 1 && pendingIO.value' == 0>_{pendingIO.value};
        Flagged -> Waiting: <pendingIO.value' == pendingIO.value - 1 && pendingIO.value' != 0>_{pendingIO.value};
        LastOne -> Waiting: <stoppingEvent'>_{stoppingEvent};
        Waiting -> Alone:   <stoppingEvent>_{};
        Alone -> Stopped:   <stopped'>_{stopped};
      } */

  static class Unloader extends Thread {
    //@ abstracted_by Unload
    @Override
    public void run() {
      stoppingFlag = true;
      decrement();
      while (!stoppingEvent) {
        Thread.onSpinWait();
      }
      stopped = true;
    }
  }

  /*@ abstract thread Work {
        initial node Before;
                node Counted;
                node Working; // BROKEN
                node LastOne;
                node Left;
        Before -> Counted:  <pendingIO.value' == pendingIO.value + 1>_{pendingIO.value};
        Counted -> Working: <!stoppingFlag>_{};
        Counted -> LastOne: <pendingIO.value' == pendingIO.value - 1 && pendingIO.value' == 0>_{pendingIO.value};
        Counted -> Left:    <pendingIO.value' == pendingIO.value - 1 && pendingIO.value' != 0>_{pendingIO.value};
        Working -> LastOne: <pendingIO.value' == pendingIO.value - 1 && pendingIO.value' == 0>_{pendingIO.value};
        Working -> Left:    <pendingIO.value' == pendingIO.value - 1 && pendingIO.value' != 0>_{pendingIO.value};
        LastOne -> Left:    <stoppingEvent'>_{stoppingEvent};
      } */

  static class Worker extends Thread {
    //@ abstracted_by Work
    @Override
    public void run() {
      pendingIO.incrementAndGet();
      if (!stoppingFlag) {
        assert !stopped; // do work here
      }
      decrement();
    }
  }

  static void decrement() {
    if (pendingIO.decrementAndGet() == 0) {
      stoppingEvent = true;
    }
  }

  public static void main(String[] args) {
    new Unloader().start();
    while (true) {
      new Worker().start();
    }
  }
}
