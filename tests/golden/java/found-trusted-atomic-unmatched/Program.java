class Program {
  static volatile int x;

  static void begin() {
    //@ trusted atomic begin
    int t = x;
    x = t + 1;
  }

  static void end() {
    int t = x;
    x = t + 1;
    //@ trusted atomic end
  }

  static void otherBlock(boolean b) {
    //@ trusted atomic begin
    x = 1;
    if (b) {
      x = 2;
      //@ trusted atomic end
    }
  }

  static void twice(boolean b) {
    //@ trusted atomic begin
    x = 1;
    //@ trusted atomic begin
    x = 2;
    //@ trusted atomic end
    { //@ trusted atomic end
    }
    if (b)
      //@ trusted atomic begin
      x = 3;
  }

  public static void main(String[] arguments) {
    begin();
    end();
    otherBlock(true);
    twice(true);
  }
}
