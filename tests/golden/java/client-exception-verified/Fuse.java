public class Fuse {
  //@ unwritable_by_env_if holder == tid;
  private volatile int blown;

  //@ global_invariant 0 <= blown && blown <= 2;

  public synchronized void blow() {
    if (blown < 2) {
      blown++;
      throw new IllegalStateException();
    }
    assert blown == 2;
  }
}
