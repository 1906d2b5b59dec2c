class Account {
  int balance;
  Account next;

  Account(int balance) {
    this.balance = balance;
  }

  void add(int amount) {
    int now;
    synchronized (this) {
      now = balance;
    }
    synchronized (this) { // BROKEN: the balance may have changed
      balance = now + amount;
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Account account = new Account(10);
    Thread other = new Thread(() -> account.add(1));
    other.start();
    account.add(1);
    other.join();
    synchronized (account) {
      assert account.balance == 12;
    }
  }
}
