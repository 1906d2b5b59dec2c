// Clients of ours hold no lock, others might, whatever way the clause says so.
class Program {
  //@ requires !(holder != tid);
  public void f() {
    assert false;
  }

  public void g() { }
}
