public class Task extends Thread {
  //@ guarded_by this;
  private int count;

  @Override
  public void run() {
    if (count == 0) {
      count = 1;
    }
  }
}
