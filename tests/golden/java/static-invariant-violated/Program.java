// What an invariant says of static variables alone is due whenever the monitor of the class is free, object or not.
class Program {
  static volatile int here = 1;
  static volatile int there = 1;
  //@ invariant here == there;

  static void move() {
    here = here + 1;
    there = there + 1;
  }

  public static void main(String[] arguments) {
    Thread other = new Thread(Program::move);
    other.start();
    move();
  }
}
