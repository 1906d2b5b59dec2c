public class Share {
  public final int parts = 2;

  public int share() {
    return 12 / parts;
  }
}
