/** The reference of a job changes after the job was started: it may lock one container and increment another. */
public class ApprenticePlainBrokenBogus {
    static class Container {
        int counter;

        //@ env_assumption \old(counter) <= counter;
    }

    static class Job extends Thread {
        Container objref;

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
