public class Tally {
  private static class Base {
    //@ guarded_by this;
    private int n;

    public void add() {
      n++;
    }

    public synchronized int get() {
      return n;
    }
  }

  public static class Counter extends Base {}
}
