// The annotation is about all fields of the declaration, whatever their initial values and comments have in them.
class Program {
  static final Object lock = new Object();

  //@ guarded_by lock;
  static volatile String s = ";", /* ; */ t = "x", // ;
      u = "y";
  static int next;

  public static void main(String[] arguments) {
    synchronized (lock) { u = "z"; }
    next = 1;
  }
}
