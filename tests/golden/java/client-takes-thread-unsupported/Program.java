// Clients pass a thread; they make it with a task of theirs.
public class Program {
    public static boolean isNone(Thread thread) {
        boolean none = thread == null;
        assert none || thread != null;
        return none;
    }
}
