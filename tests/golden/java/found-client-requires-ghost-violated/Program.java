// Clients of ours look at ghosts only when they keep to `requires`.
public class Program {
  private volatile int s;
  //@ ghost int g = 0;

  //@ requires g == 0;
  public void f() {
    //@ set g = 1;
    s = 1;
    assert s == 2;
  }
}
