/** A third thread gives a running job another container. */
public class ApprenticeBrokenThief {
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

    static class Thief extends Thread {
        private final Job victim;

        Thief(Job victim) {
            this.victim = victim;
        }

        @Override
        public void run() {
            victim.objref = new Container();
        }
    }

    public static void main(String[] args) {
        Container container = new Container();
        Job job = new Job();
        job.objref = container;
        job.start();
        new Thief(job).start();
    }
}
