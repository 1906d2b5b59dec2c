import java.util.concurrent.atomic.AtomicReference;

/** What is set at a compare-and-set happens with it, if it succeeds. */
class Program {
  static class Node {}

  private final AtomicReference<Node> top;
  //@ ghost int puts = 0;
  //@ global_invariant puts <= 1;
  //@ global_invariant puts == 1 <==> top.value != null;

  Program() {
    top = new AtomicReference<>();
  }

  void put() {
    Node node = new Node();
    //@ set puts = puts + 1;
    top.compareAndSet(null, node);
  }

  public static void main(String[] args) {
    Program program = new Program();
    new Thread(() -> program.put()).start();
    program.put();
  }
}
