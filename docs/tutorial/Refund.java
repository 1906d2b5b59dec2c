/** Somebody has a clever idea of how to give seats back. */
class Refund {
    public static void main(String[] args) {
        Seats bus = new Seats(50);
        bus.sell(2);
        bus.sell(-2);
    }
}
