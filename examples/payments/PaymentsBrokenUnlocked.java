// Any number of threads pay into one account, each an amount of its own. Numbers have 32 bits, so the account has the sum as far as that goes.
final class PaymentsBrokenUnlocked {
  private static volatile int sum = 0;

  /*@ threads n;
    @ finally sum == \wrap((\sum int k; 0 <= k && k < n; amount[k]), 32);
    @ check termination; */
  static void pay(int amount) { // BROKEN: nothing keeps others out between the read and the write
    sum += amount;
  }
}
