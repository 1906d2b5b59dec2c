/** Two jobs increment one counter, twice each. */
public class ApprenticeBounded {
    static final int JOBS = 2;
    static final int ROUNDS = 2;

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
            for (int round = 0; round < ROUNDS; round++) {
                synchronized (objref) {
                    objref.counter = objref.counter + 1;
                }
            }
        }
    }

    public static void main(String[] args) {
        Container container = new Container();
        for (int i = 0; i < JOBS; i++) {
            Job job = new Job();
            job.objref = container;
            job.start();
        }
    }
}
