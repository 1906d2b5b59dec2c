public class Fuse {
  private volatile int blown;

  public synchronized void blow() {
    if (blown < 2) {
      blown++;
      throw new IllegalStateException();
    }
    assert blown < 2;
  }
}
