/** Two counters, and one seat. */
class Sale extends Thread {
    private final Seats bus;

    Sale(Seats bus) {
        this.bus = bus;
    }

    @Override
    public void run() {
        bus.sell(1);
    }

    public static void main(String[] args) throws InterruptedException {
        Seats bus = new Seats(1);
        Sale other = new Sale(bus);
        other.start();
        bus.sell(1);
        other.join();
        assert bus.free() >= 0;
    }
}
