// Clients of ours are not the first thread, others might be.
class Program {
  static final Object lock = new Object();

  //@ requires tid == main;
  public void f() {
    assert false;
  }

  public void g() { }
}
