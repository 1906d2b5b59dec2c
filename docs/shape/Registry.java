/** Any number of threads sign in: each puts an entry in front of a list that all share. */
public class Registry {
    static class Entry {
        Entry next;
    }

    static class Book {
        private Entry first;

        synchronized void add(Entry entry) {
            entry.next = first;
            first = entry;
        }

        synchronized Entry take() throws InterruptedException {
            while (first == null) {
                wait();
            }
            Entry entry = first;
            first = entry.next;
            entry.next = null;
            return entry;
        }
    }

    static class Guest extends Thread {
        private final Book book;

        Guest(Book book) {
            this.book = book;
        }

        @Override
        public void run() {
            book.add(new Entry());
        }
    }

    static class Clerk extends Thread {
        private final Book book;

        Clerk(Book book) {
            this.book = book;
        }

        @Override
        public void run() {
            try {
                Entry entry = book.take();
                assert entry.next == null;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) {
        Book book = new Book();
        for (;;) {
            new Guest(book).start();
            new Clerk(book).start();
        }
    }
}
