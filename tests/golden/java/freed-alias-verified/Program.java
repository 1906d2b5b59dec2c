import concord.Concord;

/** The other name is used, and forgotten, with the lock held. */
class Program {
  static class Box {
    int value;
  }
  static Box first = new Box();
  static Box second = first;

  public static void main(String[] args) {
    new Thread(() -> {
      synchronized (Program.class) {
        if (second != null) {
          second.value = 1;
        }
      }
    }).start();
    synchronized (Program.class) {
      second = null;
      first.value = 2;
    }
    Concord.free(first);
  }
}
