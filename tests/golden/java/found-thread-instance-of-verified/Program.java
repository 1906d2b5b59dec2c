// Every thread is a Thread, the initial one too.
class Program extends Thread {
  @Override
  public void run() {
    f();
  }

  //@ requires tid instanceof Thread;
  static void f() {}

  public static void main(String[] arguments) {
    f();
    new Program().start();
  }
}
