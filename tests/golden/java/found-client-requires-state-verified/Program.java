// Clients keep to `requires` when they call, whatever others did since they chose the object; looking at it is no race.
public class Program {
  private volatile int s;
  private int t; //@ guarded_by this;

  //@ requires s == 1;
  public void f() { }

  public void g() {
    s = 1;
    s = 0;
  }

  //@ requires t >= 0;
  public synchronized void h() {
    t = 0;
  }
}
