// A thread that runs is compared by its identity.
class Program extends Thread {
  static volatile Thread last;
  //@ ghost Thread owner = null;

  //@ requires tid == this && owner == null;
  void work() {
    //@ set owner = tid;
    last = this;
    check();
  }

  //@ requires owner == this && this == owner && owner instanceof Program && tid != \main;
  void check() {}

  @Override
  public void run() {
    work();
  }

  public static void main(String[] arguments) {
    new Program().start();
  }
}
