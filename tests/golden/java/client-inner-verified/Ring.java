public class Ring {
  //@ guarded_by this;
  private int at;

  public class Pointer {
    public int next() {
      synchronized (Ring.this) {
        at = at < 9 ? at + 1 : 0;
        return at;
      }
    }
  }
}
