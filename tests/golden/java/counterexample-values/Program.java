// A clause about all objects: the values are those of the field that the step writes.
public class Program {
  static class Container {
    //@ unwritable_by_env_if holder == tid;
    int counter;

    //@ env_assumption \old(counter) <= counter;
  }

  static class Job extends Thread {
    final Container container;

    //@ requires container != null;
    Job(Container container) {
      this.container = container;
    }

    //@ requires container != null;
    @Override
    public void run() {
      synchronized (container) {
        container.counter = container.counter + 1;
      }
    }
  }

  public static void main(String[] args) {
    Container container = new Container();
    new Job(container).start();
    new Job(container).start();
  }
}
