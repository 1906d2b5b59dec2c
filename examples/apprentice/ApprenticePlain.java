/** Any number of jobs increment one counter, for ever. Nothing is said but what is claimed. */
public class ApprenticePlain {
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
        for (;;) {
            Job job = new Job();
            job.objref = container;
            job.start();
        }
    }
}
