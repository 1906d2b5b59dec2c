public class Limits {
  private static int limit = 5;

  public int half() {
    int seen = limit;
    assert seen == 0;
    return seen / 2;
  }
}
