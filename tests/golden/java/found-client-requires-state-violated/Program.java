// Behind the entry others may change it again.
public class Program {
  private volatile int s;

  //@ requires s == 1;
  public void f() {
    assert s == 1;
  }

  public void g() {
    s = 1;
    s = 0;
  }
}
