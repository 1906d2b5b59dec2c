// BROKEN: the abstract worker must take an edge with each step, with those on its own variables too.
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The battery driver: dispatch routines queue a worker, the unloader tears the driver down. After `stopped` nobody may touch the
 * driver's variables (all but queuedWorkers, which belongs to the operating system).
 */
class BatteryBrokenMissingIdle {
  static final AtomicInteger workerActive = new AtomicInteger(0); // 0: no worker is queued or running
  static volatile boolean wantToRemove;
  static volatile boolean readyToRemove;
  static final AtomicInteger inUseCount = new AtomicInteger(2); // one for the driver, one for its worker, one for each access
  static final AtomicInteger queuedWorkers = new AtomicInteger(0);
  static volatile boolean stopped;

  static volatile boolean busy; // what the operating system has in mind

  /*@ global_invariant inUseCount.value >= 0 && workerActive.value >= 0 && queuedWorkers.value >= 0;
      global_invariant readyToRemove ==> inUseCount.value == 0;
      global_invariant queuedWorkers.value > 0 ==> !stopped && workerActive.value > 0; */

  // ------------------------------------------------------------------------------------------------------------ unloader

  /*@ abstract thread Unload {
        initial node Before: assert !stopped;
                node Wanted: assert !stopped;
                node NoWorker: assert !stopped;
                node LastOne: assert !stopped;
                node Handed: assert !stopped;
                node Waiting: assert !stopped;
                node Alone;
                node Stopped;
        Before -> Wanted:    <wantToRemove'>_{wantToRemove};
        Wanted -> NoWorker:  <workerActive.value' == workerActive.value + 1 && workerActive.value' == 1>_{workerActive.value};
        Wanted -> Handed:    <workerActive.value' == workerActive.value + 1 && workerActive.value' != 1>_{workerActive.value};
        NoWorker -> LastOne: <inUseCount.value' == inUseCount.value - 1 && inUseCount.value' == 0>_{inUseCount.value};
        NoWorker -> Handed:  <inUseCount.value' == inUseCount.value - 1 && inUseCount.value' != 0>_{inUseCount.value};
        NoWorker -> Handed:  <queuedWorkers.value' == queuedWorkers.value + 1>_{queuedWorkers.value};
        LastOne -> Handed:   <readyToRemove'>_{readyToRemove};
        Handed -> Alone:     <inUseCount.value' == inUseCount.value - 1 && inUseCount.value' <= 0>_{inUseCount.value};
        Handed -> Waiting:   <inUseCount.value' == inUseCount.value - 1 && inUseCount.value' > 0>_{inUseCount.value};
        Waiting -> Alone:    <readyToRemove>_{};
        Alone -> Stopped:    <stopped'>_{stopped};
      } */

  static class Unloader extends Thread {
    //@ abstracted_by Unload
    @Override
    public void run() {
      assert !stopped;
      wantToRemove = true;
      assert !stopped;
      if (workerActive.incrementAndGet() == 1) {
        if (busy) {
          queuedWorkers.incrementAndGet();
        } else {
          giveBack();
        }
      }
      assert !stopped;
      if (inUseCount.decrementAndGet() > 0) {
        while (!readyToRemove) {
          assert !stopped;
        }
      }
      stopped = true;
    }
  }

  static void giveBack() {
    assert !stopped;
    if (inUseCount.decrementAndGet() == 0) {
      assert !stopped;
      readyToRemove = true;
    }
  }

  // -------------------------------------------------------------------------------------------------------------- worker

  /*@ abstract thread Work without idle { // BROKEN
        initial node Idle;
                node Running: assert !stopped;
                node Using: assert !stopped;
                node Leaving: assert !stopped;
                node LastOne: assert !stopped;
                node Again: assert !stopped;
                node Left;
        Idle -> Running:    <queuedWorkers.value > 0 && queuedWorkers.value' == queuedWorkers.value - 1>_{queuedWorkers.value};
        Running -> Leaving: <wantToRemove>_{};
        Leaving -> LastOne: <inUseCount.value' == inUseCount.value - 1 && inUseCount.value' == 0>_{inUseCount.value};
        Leaving -> Left:    <inUseCount.value' == inUseCount.value - 1 && inUseCount.value' != 0>_{inUseCount.value};
        LastOne -> Left:    <readyToRemove'>_{readyToRemove};
        Running -> Using:   <inUseCount.value' == inUseCount.value + 1>_{inUseCount.value};
        Using -> Running:   <inUseCount.value' == inUseCount.value - 1>_{inUseCount.value};
        Running -> Left:    <workerActive.value' == workerActive.value - 1 && workerActive.value' == 0>_{workerActive.value};
        Running -> Again:   <workerActive.value' == workerActive.value - 1 && workerActive.value' != 0>_{workerActive.value};
        Again -> Running:   <workerActive.value' == 1>_{workerActive.value};
        Again -> Running:   <true>_{};
      } */

  static class Worker extends Thread {
    //@ abstracted_by Work
    @Override
    public void run() {
      waitInQueue();
      while (true) {
        assert !stopped;
        if (wantToRemove) {
          giveBack();
          return;
        }
        if (busy) {
          assert !stopped;
          inUseCount.incrementAndGet();
          assert !stopped;
          inUseCount.decrementAndGet();
        }
        assert !stopped;
        int active = workerActive.decrementAndGet();
        if (active == 0) {
          return;
        }
        if (active != 1) {
          assert !stopped;
          workerActive.set(1);
        }
      }
    }

    private static void waitInQueue() {
      while (true) {
        int queued = queuedWorkers.get();
        if (queued > 0 && queuedWorkers.compareAndSet(queued, queued - 1)) {
          return;
        }
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------------ dispatch

  /*@ abstract thread Dispatch {
        initial node Before: assert stopped ==> wantToRemove;
                node First;
                node Queued;
        Before -> First:
          <!wantToRemove && workerActive.value' == workerActive.value + 1 && workerActive.value' == 1>_{workerActive.value};
        Before -> Queued:
          <!wantToRemove && workerActive.value' == workerActive.value + 1 && workerActive.value' != 1>_{workerActive.value};
        First -> Queued: <queuedWorkers.value' == queuedWorkers.value + 1>_{queuedWorkers.value};
      } */

  static class Dispatcher extends Thread {
    //@ abstracted_by Dispatch
    @Override
    public void run() {
      int active = 0;
      // The operating system does not call the driver any more once it removes it.
      //@ trusted atomic begin
      if (!wantToRemove) {
        assert !stopped;
        active = workerActive.incrementAndGet();
      }
      //@ trusted atomic end
      if (active == 1) {
        queuedWorkers.incrementAndGet();
      }
    }
  }

  // -------------------------------------------------------------------------------------------------- operating system

  static class OperatingSystem extends Thread {
    @Override
    public void run() {
      while (true) {
        busy = !busy;
      }
    }
  }

  public static void main(String[] args) {
    new OperatingSystem().start();
    new Unloader().start();
    while (true) {
      new Worker().start();
      new Dispatcher().start();
    }
  }
}
