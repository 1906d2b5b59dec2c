// The elements of an array are locked in the order of their indices.
class Program {
  static final Object[] forks = {new Object(), new Object()};
  //@ lock_order forks[i] < forks[j] when i < j;

  public static void main(String[] arguments) {
    synchronized (forks[1]) {
      synchronized (forks[0]) { }
    }
  }
}
