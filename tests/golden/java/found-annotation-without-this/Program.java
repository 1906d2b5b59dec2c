// A ghost field has no value in static code, nor while its object is still made; and the lock is not written out.
class Program {
  @interface GuardedBy {
    String value();
  }

  static final String NAME = "lock";
  static final Object lock = new Object();
  @GuardedBy(NAME) static int y;
  int x;
  //@ ghost int g = 0;

  Program() {
    //@ set g = 1;
    x = 1;
  }

  public static void main(String[] arguments) {
    //@ set g = 1;
    y = new Program().x;
  }
}
