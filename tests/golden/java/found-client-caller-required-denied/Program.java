// Clients of ours hold no lock, others might, whatever way the clause says so.
class Program {
  //@ requires !\holds(this) ==> false;
  public void f() {
    assert false;
  }

  public void g() { }
}
