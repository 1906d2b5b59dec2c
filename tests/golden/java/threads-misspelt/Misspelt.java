class Misspelt {
  static int sum;

  //@ thread n;
  static void pay(int amount) {
    sum += amount;
  }

  //@ threads;
  //@ finaly sum == n;
  //@ finally sum == (\sum int k; 0 <= k; amount[k]);
  static void get(int amount) {
    sum -= amount;
  }
}
