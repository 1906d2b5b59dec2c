class Program { public static void main(String[] a){ Thread.currentThread().run(); assert false; } }
