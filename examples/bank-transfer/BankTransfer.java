/** Transfers between two accounts; the account with the smaller number is locked first. */
public class BankTransfer {
    static class Account {
        private final int id;

        @GuardedBy("this")
        private int balance;

        //@ invariant balance >= 0;

        //@ requires balance >= 0;
        Account(int id, int balance) {
            this.id = id;
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
            if (from.id < to.id) {
                synchronized (from) {
                    synchronized (to) {
                        move();
                    }
                }
            } else {
                synchronized (to) {
                    synchronized (from) {
                        move();
                    }
                }
            }
        }

        //@ requires \holds(from) && \holds(to);
        private void move() {
            if (from.balance < amount || to.balance > Integer.MAX_VALUE - amount) {
                return;
            }
            from.balance -= amount;
            to.balance += amount;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account savings = new Account(1, 100);
        Account current = new Account(2, 50);
        Transfer there = new Transfer(savings, current, 30);
        Transfer back = new Transfer(current, savings, 70);
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
