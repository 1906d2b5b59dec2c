// What a lambda makes comes out of it where clients call it.
import java.util.function.Supplier;

public class Program {
  private static volatile boolean broken;

  //@ global_invariant !broken;

  private static class Part implements Runnable {
    public void run() {
      broken = true;
    }
  }

  public static Supplier<Runnable> get() {
    return () -> new Part();
  }

  public static void check() {
    assert !broken;
  }
}
