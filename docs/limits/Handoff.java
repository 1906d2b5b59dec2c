/** A message is written, and then a flag that is not volatile. */
class Handoff extends Thread {
    private static int message;
    private static boolean ready;

    @Override
    public void run() {
        if (ready) {
            assert message == 42;
        }
    }

    public static void main(String[] args) {
        new Handoff().start();
        message = 42;
        ready = true;
    }
}
