class Misplaced {
  //@ threads n;
  static int sum;

  //@ threads n;
  void pay(int amount) {
    sum += amount;
  }

  //@ threads n;
  static void name(String name, float rate) {}

  //@ threads n; threads m;
  static void twice() {}

  static void get(int amount) {
    //@ threads n;
    sum -= amount;
    //@ finally sum == 0;
  }
}
