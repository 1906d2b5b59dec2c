class Program {
    static class T { 
        volatile int[] a; //@ elems_unwritable_by_env_if[i] true
    }
    static volatile T g;
    static class W extends Thread { public void run() { T t = new T(); t.a = new int[1]; int[] x = t.a; x[0] = 1; g = t; } }
    public static void main(String[] s) { new W().start(); T t = g; if (t != null) { int[] x = t.a; if (x.length > 0) { int y = x[0]; } } }
}
