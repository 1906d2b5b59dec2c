/** Both buffers are locked, in whatever order: two threads that append crosswise wait for each other. */
public class TextBufferBrokenBothLocks {
    static class Text {
        //@ elems_unwritable_by_env_if[i] holder == tid;
        @GuardedBy("this")
        private char[] value;

        @GuardedBy("this")
        private int count;

        //@ global_invariant (\forall Text other; other != this && other.value != null ==> other.value != value);
        //@ invariant value != null && 0 <= count && count <= value.length;

        //@ requires capacity >= 0;
        Text(int capacity) {
            value = new char[capacity];
        }

        synchronized int length() {
            return count;
        }

        synchronized char charAt(int index) {
            if (index < 0 || index >= count) {
                throw new IndexOutOfBoundsException();
            }
            return value[index];
        }

        synchronized void setLength(int length) {
            if (length < 0 || length > count) {
                throw new IndexOutOfBoundsException();
            }
            count = length;
        }

        synchronized void append(char c) {
            ensureRoom(1);
            value[count] = c;
            count++;
        }

        synchronized void append(Text other) {
            synchronized (other) {
                int length = other.length();
                ensureRoom(length);
                other.getChars(length, value, count);
                count += length;
            }
        }

        //@ requires 0 <= end && end <= count;
        //@ requires target != null && 0 <= at && at <= target.length - end;
        synchronized void getChars(int end, char[] target, int at) {
            //@ loop_invariant 0 <= i;
            for (int i = 0; i < end; i++) {
                target[at + i] = value[i];
            }
        }

        //@ requires holder == tid && extra >= 0;
        private void ensureRoom(int extra) {
            if (extra > Integer.MAX_VALUE - count) {
                throw new OutOfMemoryError();
            }
            if (count + extra > value.length) {
                char[] grown = new char[count + extra];
                getChars(count, grown, 0);
                value = grown;
            }
        }
    }

    static class Appender extends Thread {
        private final Text to;
        private final Text from;

        //@ requires to != null && from != null;
        Appender(Text to, Text from) {
            this.to = to;
            this.from = from;
        }

        //@ requires to != null && from != null;
        @Override
        public void run() {
            to.append(from);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Text line = new Text(1);
        Text word = new Text(1);
        word.append('x');
        Appender there = new Appender(line, word);
        Appender back = new Appender(word, line);
        there.start();
        back.start();
        there.join();
        back.join();
        int length = line.length();
        assert length == 1;
    }

    @interface GuardedBy {
        String value();
    }
}
