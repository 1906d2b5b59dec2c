import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** One operation that frees, takes again, reads and writes what can be freed, and changes atomic variables. */
class Program {
  static class Node {
    private final AtomicReference<Node> next = new AtomicReference<>();
    volatile int value;
  }

  private final AtomicReference<Node> top = new AtomicReference<>(new Node());

  void renew() {
    Node old;
    Node made = new Node();
    //@ trusted atomic begin
    old = top.get();
    if (old != null && top.compareAndSet(old, made)) {
      made.next.set(old.next.get());
      made.value = old.value + 1;
      Concord.free(old);
      old = Concord.reused(Node.class);
      if (old != null) {
        old.value = 0;
      }
    }
    //@ trusted atomic end
    assert old == null || old != made;
  }

  public static void main(String[] args) {
    Program program = new Program();
    new Thread(() -> program.renew()).start();
    program.renew();
    int value = program.top.get().value;
    assert value >= 0 && value <= 2; // 0: the node was renewed meanwhile, and is used again
  }
}
