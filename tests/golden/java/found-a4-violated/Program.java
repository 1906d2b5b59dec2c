import java.util.concurrent.locks.*;
class Program { public static void main(String[] a){ ReentrantReadWriteLock l=new ReentrantReadWriteLock(); l.writeLock().unlock(); } }
