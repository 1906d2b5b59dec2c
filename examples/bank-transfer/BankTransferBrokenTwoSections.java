/** The balance is looked at in one critical section and changed in another. */
public class BankTransferBrokenTwoSections {
    static class Account {
        @GuardedBy("this")
        private int balance;

        //@ invariant balance >= 0;

        //@ requires balance >= 0;
        Account(int balance) {
            this.balance = balance;
        }

        synchronized int balance() {
            return balance;
        }
    }

    static class Transfer extends Thread {
        private final Account from;
        private final Account to;
        private final int amount;

        //@ requires from != null && to != null && from != to && amount >= 0;
        Transfer(Account from, Account to, int amount) {
            this.from = from;
            this.to = to;
            this.amount = amount;
        }

        //@ requires from != null && to != null && from != to && amount >= 0;
        @Override
        public void run() {
            synchronized (from) {
                if (from.balance < amount) {
                    return;
                }
            }
            synchronized (from) {
                from.balance -= amount;
            }
            synchronized (to) {
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account savings = new Account(100);
        Account current = new Account(50);
        Transfer there = new Transfer(savings, current, 30);
        Transfer back = new Transfer(savings, current, 80);
        there.start();
        back.start();
        there.join();
        back.join();
        int total = savings.balance() + current.balance();
        assert total == 150;
    }

    @interface GuardedBy {
        String value();
    }
}
