/** The reference of a job changes after the job was started. */
public class ApprenticeBrokenBogus {
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
                synchronized (objref) {
                    objref.counter = objref.counter + 1;
                }
            }
        }
    }

    public static void main(String[] args) {
        Container container = new Container();
        Container bogus = new Container();
        for (;;) {
            Job job = new Job();
            job.objref = container;
            job.start();
            job.objref = bogus;
        }
    }
}
