import java.util.Iterator;

class Program {
  static class Range implements Iterable<Integer> {
    public Iterator<Integer> iterator() { return null; }
  }

  public static void main(String[] args) {
    int sum = 0;
    for (int each : new Range()) sum += each;
    assert sum == 0;
  }
}
