// Any number of threads pay into one account, each an amount of its own. Numbers have 32 bits, so the account has the sum as far as that goes.
final class Payments {
  //@ guarded_by Payments.class;
  private static int sum = 0;

  /*@ threads n;
    @ finally sum == \wrap((\sum int k; 0 <= k && k < n; amount[k]), 32);
    @ check termination; */
  static synchronized void pay(int amount) {
    sum += amount;
  }
}
