import java.util.concurrent.atomic.AtomicInteger;

/** The result is read before the workers are done. */
public class WorkerPoolBrokenNoJoin {
    static class TaskQueue {
        //@ elems_unwritable_by_env_if[i] holder == tid;
        private final int[] tasks;

        @GuardedBy("this")
        private int added;

        @GuardedBy("this")
        private int taken;

        @GuardedBy("this")
        private boolean shutdown;

        //@ global_invariant tasks != null;
        //@ global_invariant (\forall TaskQueue q; q != this ==> q.tasks != tasks);
        //@ invariant 0 <= taken && taken <= added && added <= tasks.length;
        //@ env_assumption \old(shutdown) ==> shutdown;

        //@ requires capacity >= 0;
        TaskQueue(int capacity) {
            tasks = new int[capacity];
        }

        synchronized void submit(int task) {
            if (shutdown || added == tasks.length) {
                throw new IllegalStateException("no more tasks");
            }
            tasks[added] = task;
            added++;
            notifyAll();
        }

        synchronized void shutdown() {
            shutdown = true;
            notifyAll();
        }

        /** The next task, or 0 if there will be none. */
        synchronized int take() throws InterruptedException {
            //@ loop_invariant 0 <= taken && taken <= added && added <= tasks.length;
            while (taken == added && !shutdown) {
                wait();
            }
            if (taken == added) {
                return 0;
            }
            int task = tasks[taken];
            taken++;
            return task;
        }
    }

    static class Worker extends Thread {
        private final TaskQueue queue;
        private final AtomicInteger sum;

        //@ requires queue != null && sum != null;
        Worker(TaskQueue queue, AtomicInteger sum) {
            this.queue = queue;
            this.sum = sum;
        }

        //@ requires queue != null && sum != null;
        @Override
        public void run() {
            try {
                int task = queue.take();
                while (task != 0) {
                    sum.addAndGet(task);
                    task = queue.take();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) {
        TaskQueue queue = new TaskQueue(2);
        AtomicInteger sum = new AtomicInteger();
        Worker first = new Worker(queue, sum);
        first.start();
        Worker second = new Worker(queue, sum);
        second.start();
        queue.submit(1);
        queue.submit(2);
        queue.shutdown();
        int total = sum.get();
        assert total == 3;
    }

    @interface GuardedBy {
        String value();
    }
}
