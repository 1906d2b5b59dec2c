// One constructor is enough to leave a field null, or to make the array shorter.
class Program {
  private final Object lock;
  private final int[] table;

  Program() {
    lock = new Object();
    table = new int[7];
  }

  Program(int size) {
    lock = size > 2 ? new Object() : null;
    table = new int[3];
  }

  int get() {
    synchronized (lock) {
      return table[6];
    }
  }

  static class Other extends Thread {
    @Override
    public void run() {
      int third = new Program(1).get();
    }
  }

  public static void main(String[] args) {
    new Other().start();
    int first = new Program().get();
    int second = new Program(5).get();
  }
}
