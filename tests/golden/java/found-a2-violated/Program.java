import java.util.concurrent.locks.*;
class Program { public static void main(String[] a){ ReentrantLock l=new ReentrantLock(); Condition c=l.newCondition(); c.signal(); } }
