import concord.Concord;

/** The other thread knows the object by another name. */
class Program {
  static class Box {
    volatile int value;
  }
  static volatile Box first = new Box();
  static volatile Box second = first;

  public static void main(String[] args) {
    new Thread(() -> {
      Box box = second;
      if (box != null) {
        box.value = 1;
      }
    }).start();
    Box box = first;
    second = null;
    Concord.free(box);
  }
}
