/** Two buses, each of which is compared with the other. */
class Rivals extends Thread {
    private final Seats ours;
    private final Seats theirs;

    Rivals(Seats ours, Seats theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    @Override
    public void run() {
        ours.hasMoreThan(theirs);
    }

    public static void main(String[] args) {
        Seats first = new Seats(1);
        Seats second = new Seats(2);
        new Rivals(first, second).start();
        second.hasMoreThan(first);
    }
}
