// A thread that an initialiser starts would wait where it uses the class: not followed.
public class Program {
  static volatile int seen;
  static final Thread THREAD = begin();

  static Thread begin() {
    Thread made = new Thread(() -> seen = 1);
    made.start();
    return made;
  }

  public static void main(String[] args) throws InterruptedException {
    THREAD.join();
    assert seen == 1;
  }
}
