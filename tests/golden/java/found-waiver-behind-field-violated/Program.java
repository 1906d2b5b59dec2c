// Behind a field on its line the waiver belongs to it, not to the next one.
class Program {
  static int x; //@ nowarn race "known"
  static int y;

  public static void main(String[] arguments) {
    new Thread(() -> {
      x = 1;
      y = 1;
    }).start();
    x = 2;
    y = 2;
  }
}
