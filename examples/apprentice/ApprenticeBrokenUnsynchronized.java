/** The counter is read and written without its monitor: increments get lost. */
public class ApprenticeBrokenUnsynchronized {
    static class Container {
        //@ unwritable_by_env_if holder == tid;
        int counter;

        //@ env_assumption \old(counter) <= counter;
    }

    static class Job extends Thread {
        //@ unwritable_by_env_if tid == main || objref != null;
        Container objref;

        //@ requires objref != null;
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
