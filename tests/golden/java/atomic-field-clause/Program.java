import java.util.concurrent.atomic.AtomicReference;

class Program {
  private final AtomicReference<Program> next = new AtomicReference<>();
  //@ global_invariant next != null && next != this;
  //@ global_invariant next.reference != null;

  public static void main(String[] args) {
    Program program = new Program();
    program.next.set(program.next.get());
  }
}
