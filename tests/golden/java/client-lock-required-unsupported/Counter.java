// Clients of ours hold no lock, others might: what the method does then is not followed.
public class Counter {
  private int n;
  //@ requires holder == tid;
  public void inc() { assert false; }
  public synchronized int get() { return n; }
}
