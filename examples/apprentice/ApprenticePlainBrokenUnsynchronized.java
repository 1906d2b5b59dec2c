/** The counter is read and written without its monitor: a job may write an old value back. */
public class ApprenticePlainBrokenUnsynchronized {
    static class Container {
        int counter;

        //@ env_assumption \old(counter) <= counter;
    }

    static class Job extends Thread {
        Container objref;

        @Override
        public final void run() {
            for (;;) {
                objref.counter = objref.counter + 1;
            }
        }
    }

    public static void main(String[] args) {
        Container container = new Container();
        for (;;) {
            Job job = new Job();
            job.objref = container;
            job.start();
        }
    }
}
