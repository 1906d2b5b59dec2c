class Program {
  static int x;

  interface Limits {
    int MAX = 3;
    //@ global_invariant x <= MAX;
  }

  static class User implements Limits {
    //@ requires k < MAX;
    void set(int k) {
      x = k + 1;
    }
  }

  public static void main(String[] arguments) {
    new User().set(2);
  }
}
