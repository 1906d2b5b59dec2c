import concord.Concord;

/** Of the classes below Node only Small is taken again: the others must not even be read. */
class Program {
  static class Node {
    volatile int value;
  }
  static class Small extends Node {}
  static class Large extends Node {}

  public static void main(String[] args) {
    Node small = new Small();
    Node large = new Large();
    Concord.free(small);
    Concord.free(large);
    Small again = Concord.reused(Small.class);
    assert again == null || again == small;
    assert small.value == 0;
    int value = large.value;
  }
}
