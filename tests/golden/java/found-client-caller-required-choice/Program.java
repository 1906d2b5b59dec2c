// Clients of ours hold no lock, others might, whatever way the clause says so.
class Program {
  //@ requires holder == tid ? true : false;
  public void f() {
    assert false;
  }

  public void g() { }
}
