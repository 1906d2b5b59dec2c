// That they do not hold the lock clients of ours satisfy.
class Program {
  //@ requires holder != tid && !\holds(this) && !(holder == tid);
  public void f() {
    assert false;
  }

  public void g() { }
}
