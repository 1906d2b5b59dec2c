final class C { final int id; C(int id) { this.id = id; } }
class Maker extends Thread { public void run() { Main.make(); } }
class Main {
  static volatile int next;
  static volatile C x;
  //@ global_invariant (\forall C c; c.id < next);
  static void make() {
    //@ trusted atomic begin
    int n = next;
    if (n < 1000) { next = n + 1; x = new C(n); }
    //@ trusted atomic end
  }
  //@ modifies;
  static C get() { return x; }
  static void observe() {
    int l = next;
    C r = get();
    assert r == null || r.id < l;
  }
  public static void main(String[] args) {
    Maker t = new Maker();
    t.start();
    observe();
  }
}
