import concord.Concord;
import java.util.concurrent.atomic.AtomicReference;

/** As freed-trusted-atomic-verified, but what is freed is used in the same operation. */
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
    old = top.getAndSet(made);
    Concord.free(old);
    made.next.set(old.next.get());
    //@ trusted atomic end
  }

  public static void main(String[] args) {
    Program program = new Program();
    program.renew();
  }
}
