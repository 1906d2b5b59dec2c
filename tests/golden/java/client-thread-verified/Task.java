public class Task extends Thread {
  //@ guarded_by this;
  private int count;

  @Override
  public void run() {
    synchronized (this) {
      count = 1;
    }
  }
}
