// The library calls what was given to it: what is claimed there is not left out.
import java.util.concurrent.Executors;

class Program {
  static class Task implements Runnable {
    @Override
    public void run() {
      assert false;
    }
  }

  static class Base {
    public void run() {
      assert false;
    }
  }

  static class Derived extends Base implements Runnable {}

  public static void main(String[] arguments) {
    Runnable task = new Task();
    assert task != null;
    Executors.newSingleThreadExecutor().execute(task);
    Executors.newSingleThreadExecutor().execute(new Derived());
  }
}
