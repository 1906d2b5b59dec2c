public class Share {
  public volatile int parts = 2;

  public int share() {
    return 12 / parts;
  }
}
