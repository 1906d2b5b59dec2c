// A thread is asked who deals with the exception that ended it.
class Program {
  static class Failing extends Thread {
    @Override
    public UncaughtExceptionHandler getUncaughtExceptionHandler() {
      assert false;
      return null;
    }

    @Override
    public void run() {
      throw new IllegalStateException();
    }
  }

  public static void main(String[] arguments) {
    new Failing().start();
  }
}
