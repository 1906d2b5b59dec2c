/**
 * A lock that one thread has for writing, or any number of threads for reading. Whoever has it for reading must not ask for it
 * again. The monitor of the lock is free between the calls, and may be used as a mutex of its own.
 */
final class ReadersWriterLock {
    @GuardedBy("this")
    private boolean hasWriter;

    @GuardedBy("this")
    private int readerCount;

    //@ abstract Thread writer;
    //@ abstract set<Thread> readers;

    //@ global_invariant (hasWriter <==> writer != null) && readerCount == size(readers) && (writer == null || readers == {});
    //@ env_assumption holder == tid ==> writer' == writer && readers' == readers;
    //@ env_assumption (writer == tid <==> writer' == tid) && (tid in readers <==> tid in readers');

    /*@ requires holder != tid && writer != tid && !(tid in readers);
        modifies holder;
        action: also modifies hasWriter, writer ensures writer == null && readers == {} && writer' == tid;
        ensures holder != tid && writer == tid; */
    synchronized void beginWrite() {
        while (hasWriter || readerCount > 0) {
            awaitChange();
        }
        //@ set writer = tid;
        hasWriter = true;
    }

    /*@ requires holder != tid && writer == tid;
        modifies holder;
        action: also modifies hasWriter, writer ensures writer' == null;
        ensures holder != tid && writer != tid; */
    synchronized void endWrite() {
        //@ set writer = null;
        hasWriter = false;
        notifyAll();
    }

    /*@ requires holder != tid && writer != tid && !(tid in readers);
        modifies holder;
        action: also modifies readerCount, readers ensures writer == null && readers' == readers + {tid};
        ensures holder != tid && tid in readers; */
    synchronized void beginRead() {
        while (hasWriter || readerCount == Integer.MAX_VALUE) {
            awaitChange();
        }
        int count = readerCount;
        //@ set readers = readers + {tid};
        readerCount = count + 1;
    }

    /*@ requires holder != tid && tid in readers;
        modifies holder;
        action: also modifies readerCount, readers ensures readers' == readers - {tid};
        ensures holder != tid && !(tid in readers); */
    synchronized void endRead() {
        int count = readerCount;
        //@ set readers = readers - {tid};
        readerCount = count - 1;
        notifyAll();
    }

    /** Waits, and does not give up when interrupted: the caller looks again anyway. */
    private void awaitChange() {
        try {
            wait();
        } catch (InterruptedException e) {
            return;
        }
    }
}
